import type { Transcript } from '@switchboard/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from './session.tsx';

/** The transcript of a call, growing while it lasts. `error` is set when the stream is refused or stays away. */
export interface Followed {
  lines: Transcript[];
  isComplete: boolean;
  error: unknown;
}

/** Follows a call from its first event. Changes of its state have it read again; lines are shown once a frame. */
export function useCallEvents(id: string): Followed {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const [followed, setFollowed] = useState<Followed>({ lines: [], isComplete: false, error: null });
  const waiting = useRef<Transcript[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    let frame = 0;
    const show = () => {
      frame = 0;
      const lines = waiting.current.splice(0);
      setFollowed((before) => ({ ...before, lines: [...before.lines, ...lines] }));
    };
    const follow = async () => {
      for await (const { event, data } of api.calls.events(id, { signal: stop.signal })) {
        if (event === 'call') await queries.invalidateQueries({ queryKey: [user, 'call', id] });
        else {
          waiting.current.push(data);
          frame ||= requestAnimationFrame(show);
        }
      }
    };
    setFollowed({ lines: [], isComplete: false, error: null });
    follow().then(
      () => setFollowed((before) => ({ ...before, isComplete: true })),
      (error) => stop.signal.aborted || setFollowed((before) => ({ ...before, error })),
    );
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
      waiting.current = [];
    };
  }, [api, user, id, queries]);
  return followed;
}
