import type { UserEvent } from '@switchboard/client';

type Listener = (events: UserEvent[]) => void;

/** Maximum time without a frame, as in a hidden tab, before events are passed on anyway. */
const LONGEST_FRAME_MS = 1_000;

/** Gathers events, and passes those of a frame to all listeners at once. */
export function createFrames() {
  const listeners = new Set<Listener>();
  let waiting: UserEvent[] = [];
  const pass = onceAFrame(() => {
    const events = waiting;
    waiting = [];
    for (const listener of listeners) listener(events);
  });
  return {
    push: (event: UserEvent): void => {
      waiting.push(event);
      pass();
    },
    /** Returns the function that unsubscribes. */
    subscribe: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
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
