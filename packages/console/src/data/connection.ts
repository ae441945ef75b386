export type Connection = 'connecting' | 'live' | 'reconnecting' | 'refused';

/**
 * The state of the stream's connection, until `closing`. `onGap` runs when events begin anew, and lists may have been
 * read before: neither has the changes until then.
 */
export function createConnection(closing: AbortSignal, onGap: () => void) {
  const watchers = new Set<() => void>();
  const returns = new Set<() => void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let connection: Connection = 'connecting';

  function change(state: Connection): void {
    if (closing.aborted || state === connection) return;
    const isBack = state === 'live' && connection === 'reconnecting';
    connection = state;
    begin();
    for (const watcher of watchers) watcher();
    if (isBack) for (const listener of returns) listener();
  }

  /** Sends a request of the stream. */
  async function send(request: Request): Promise<Response> {
    if (connection === 'live') change('reconnecting');
    const response = await fetch(request).catch((error: unknown) => {
      change('reconnecting');
      throw error;
    });
    // The client repeats such a request for minutes; pages must not wait for events that long.
    if (response.status >= 429) change('reconnecting');
    // A page of a proxy is no stream, whatever its status.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (!response.ok || !isStream) return response;
    // Without an event to resume after, the service begins with those from now on.
    if (connection !== 'connecting' && !request.headers.has('last-event-id')) onGap();
    change('live');
    return response;
  }

  return {
    state: () => connection,
    begun,
    change,
    send,
    /** Returns the function that unsubscribes. */
    onChange: (watcher: () => void): (() => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    /** Calls the listener whenever a lost connection is back; returns the function that unsubscribes. */
    onReturn: (listener: () => void): (() => void) => {
      returns.add(listener);
      return () => returns.delete(listener);
    },
  };
}
