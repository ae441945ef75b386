import { type Switchboard, SwitchboardError, type UserEvent } from '@switchboard/client';

export type Connection = 'connecting' | 'live' | 'reconnecting' | 'refused';

/** All events of a user's calls, from one connection, for all parts of the console. */
export interface Stream {
  /** Receives the events of each frame; once a second in a tab that renders no frames. */
  subscribe(listener: (events: UserEvent[]) => void): () => void;
  connection(): Connection;
  /** Resolves once events arrive, or it is known that they do not: data read afterwards leaves no gap before them. */
  begun: Promise<void>;
  onConnection(listener: () => void): () => void;
  close(): void;
}

type CreateApi = (fetch: (request: Request) => Promise<Response>) => Switchboard;

/** Maximum time without a frame, as in a hidden tab, before events are passed on anyway. */
const LONGEST_FRAME_MS = 1_000;
/** Time after which a hidden tab closes its connection: browsers allow six per host. It resumes where it stopped. */
const HIDDEN_MS = 60_000;
const RETRY_MS = 5_000;

/** An event equivalent to the service's `reset`: earlier events are unknown. */
export const GAP: UserEvent = { id: '', event: 'reset', data: {} };

/** Follows the events of a user until it is closed; a broken connection is resumed without a gap. */
export function openStream(createApi: CreateApi): Stream {
  const listeners = new Set<(events: UserEvent[]) => void>();
  const watchers = new Set<() => void>();
  const closing = new AbortController();
  let connection: Connection = 'connecting';
  let waiting: UserEvent[] = [];
  let lastEventId: string | undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let hasEvents = false;
  const change = (state: Connection) => {
    if (closing.signal.aborted || state === connection) return;
    // Lists may have been read while no events arrived: neither has the changes until now.
    if (state === 'live' && !hasEvents && connection !== 'connecting') announceGap();
    hasEvents ||= state === 'live';
    connection = state;
    begin();
    for (const watcher of watchers) watcher();
  };
  const api = createApi(async (request) => {
    if (connection === 'live') change('reconnecting');
    const response = await fetch(request).catch((error: unknown) => {
      change('reconnecting');
      throw error;
    });
    if (response.ok) change('live');
    return response;
  });
  const pass = onceAFrame(() => {
    const events = waiting;
    waiting = [];
    for (const listener of listeners) listener(events);
  });
  const announceGap = () => {
    waiting.push(GAP);
    pass();
  };
  const take = (event: UserEvent) => {
    lastEventId = event.id;
    waiting.push(event);
    pass();
  };

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const options = { signal, include: 'total_cost' as const, ...(lastEventId !== undefined && { lastEventId }) };
        for await (const event of api.events.follow(options)) take(event);
      } catch (error) {
        if (signal.aborted) return;
        const isRefused = error instanceof SwitchboardError && error.status !== null && error.status < 429;
        change(isRefused ? 'refused' : 'reconnecting');
        if (isRefused) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  followWhileVisible(closing.signal, follow);
  return {
    subscribe: (listener) => add(listeners, listener),
    connection: () => connection,
    begun,
    onConnection: (listener) => add(watchers, listener),
    close: () => closing.abort(),
  };
}

function add<T>(set: Set<T>, one: T): () => void {
  set.add(one);
  return () => set.delete(one);
}

function onceAFrame(run: () => void): () => void {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = 0;
    run();
  };
  return () => {
    if (frame) return;
    frame = requestAnimationFrame(now);
    timer = setTimeout(now, LONGEST_FRAME_MS);
  };
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
}
