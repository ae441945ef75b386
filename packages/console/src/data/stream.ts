import { type Switchboard, SwitchboardError, type UserEvent } from '@switchboard/client';
import { type Connection, createConnection } from './connection.ts';
import { createFrames } from './frames.ts';

/** All events of a user's calls, from one connection, for all parts of the console. */
export interface Stream {
  /** Receives the events of each frame; once a second in a tab that renders no frames. */
  subscribe(listener: (events: UserEvent[]) => void): () => void;
  connection(): Connection;
  /** Resolves once events arrive, or it is known that they do not: data read afterwards leaves no gap before them. */
  begun: Promise<void>;
  onConnection(listener: () => void): () => void;
  /** Runs whenever a lost connection is back: what could not be read meanwhile can be read now. */
  onReturn(listener: () => void): () => void;
  close(): void;
}

type CreateApi = (fetch: (request: Request) => Promise<Response>) => Switchboard;

/** Time after which a hidden tab closes its connection: browsers allow six per host. It resumes where it stopped. */
const HIDDEN_MS = 60_000;
const RETRY_MS = 5_000;

/** An event equivalent to the service's `reset`: earlier events are unknown. */
export const GAP: UserEvent = { id: '', event: 'reset', data: {} };

/** Follows the events of a user until it is closed; a broken connection is resumed without a gap. */
export function openStream(createApi: CreateApi): Stream {
  const closing = new AbortController();
  const frames = createFrames();
  const connection = createConnection(closing.signal, () => frames.push(GAP));
  const api = createApi(connection.send);
  let lastEventId: string | undefined;

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const options = { signal, include: 'total_cost' as const, ...(lastEventId !== undefined && { lastEventId }) };
        for await (const event of api.events.follow(options)) {
          lastEventId = event.id;
          frames.push(event);
        }
      } catch (error) {
        if (signal.aborted) return;
        connection.change(isRefusal(error) ? 'refused' : 'reconnecting');
        if (isRefusal(error)) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  followWhileVisible(closing.signal, follow);
  return {
    subscribe: frames.subscribe,
    connection: connection.state,
    begun: connection.begun,
    onConnection: connection.onChange,
    onReturn: connection.onReturn,
    close: () => closing.abort(),
  };
}

/** Whether the service itself refuses the stream: the answer of a proxy in its place passes. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof SwitchboardError) || error.code === 'unexpected_response') return false;
  return error.status !== null && error.status < 429;
}

function followWhileVisible(closing: AbortSignal, follow: (signal: AbortSignal) => Promise<void>): void {
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    clearTimeout(timer);
    if (current || closing.aborted) return;
    current = new AbortController();
    void follow(AbortSignal.any([closing, current.signal]));
  };
  const stop = () => {
    current?.abort();
    current = null;
  };
  const change = () => {
    if (document.visibilityState === 'visible') start();
    else timer = setTimeout(stop, HIDDEN_MS);
  };
  document.addEventListener('visibilitychange', change, { signal: closing });
  closing.addEventListener('abort', () => clearTimeout(timer));
  start();
  // A tab that is opened in the background gets no event for that.
  if (document.visibilityState === 'hidden') change();
}
