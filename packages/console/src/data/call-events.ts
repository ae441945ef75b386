import type { Switchboard, Transcript, UserEvent } from '@switchboard/client';
import { useEffect, useState } from 'react';
import { useStream } from './live.tsx';
import { useSession } from './session.tsx';

/** The transcript of a call, updated while the call lasts. `error` is set while its earlier lines cannot be read. */
export interface Followed {
  lines: Transcript[];
  isLoaded: boolean;
  error: unknown;
  /** Reads the earlier lines again. */
  retry: () => void;
}

const PAGE_SIZE = 100;
const NOTHING: Followed = { lines: [], isLoaded: false, error: null, retry: () => {} };

/** Subscribes to a call first, then reads its earlier lines, so that no line is missing or duplicated. */
export function useCallEvents(id: string): Followed {
  const { api } = useSession();
  const stream = useStream();
  const [followed, setFollowed] = useState<Followed>(NOTHING);
  useEffect(() => {
    const stop = new AbortController();
    const add = (lines: Transcript[], isLoaded: boolean) => setFollowed((before) => added(before, lines, isLoaded));
    const load = () =>
      read(api, id, stop.signal).then(
        (lines) => add(lines, true),
        (error: unknown) => stop.signal.aborted || setFollowed((before) => ({ ...before, error })),
      );
    setFollowed({ ...NOTHING, retry: () => void load() });
    const subscribed = stream.subscribe((events) => {
      const lines = linesOf(id, events);
      if (lines.length > 0) add(lines, false);
      if (events.some(({ event }) => event === 'reset')) void load();
    });
    const unsubscribe = [subscribed, stream.onReturn(() => void load())];
    void stream.begun.then(load);
    return () => {
      stop.abort();
      for (const end of unsubscribe) end();
    };
  }, [api, stream, id]);
  return followed;
}

const added = (before: Followed, lines: Transcript[], isLoaded: boolean): Followed => ({
  ...before,
  lines: merge(before.lines, lines),
  isLoaded: before.isLoaded || isLoaded,
  // A line that is spoken now does not bring the earlier ones.
  error: isLoaded ? null : before.error,
});

const linesOf = (id: string, events: UserEvent[]) =>
  events.flatMap(({ event, data }) => (event === 'transcript' && data.session_id === id ? [data] : []));

const read = (api: Switchboard, id: string, signal: AbortSignal) =>
  api.sessions.transcripts(id, { limit: PAGE_SIZE }, { signal }).toArray();

/** Lines in the order in which they were added, which is the order of their ids. */
function merge(before: Transcript[], more: Transcript[]): Transcript[] {
  const lines = new Map([...before, ...more].map((line) => [line.id, line]));
  return [...lines.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
