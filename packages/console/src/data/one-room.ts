import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';

interface Joined {
  /** Null in the sandbox, where there is none. */
  room: { leave(): Promise<void> } | null;
}

/**
 * A state that holds the one room that this browser is in, with what is known of it. A room is left once another takes
 * its place, and with the component, as at the end of a session; one whose joining takes longer is left at once.
 */
export function useOneRoom<T extends Joined>(): [T | null, Dispatch<SetStateAction<T | null>>] {
  const [joined, setJoined] = useState<T | null>(null);
  const isGone = useRef(false);
  const room = joined?.room;
  useEffect(() => () => void room?.leave(), [room]);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const change = useCallback((next: SetStateAction<T | null>) => {
    if (!isGone.current) setJoined(next);
    else if (typeof next !== 'function') void next?.room?.leave();
  }, []);
  return [joined, change];
}
