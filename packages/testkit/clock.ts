import { type Clock, systemClock } from '../server/src/lib/clock.ts';

export interface TestClock extends Clock {
  /** The time it is from now on, as ISO 8601. It stands still there. */
  set(time: string): void;
  /** Moves on by so many milliseconds. */
  advance(ms: number): void;
}

/**
 * A clock that stands at `start`, or now, until it is moved. Only its time is simulated: sleeping takes its real
 * time.
 */
export function createTestClock(start = new Date().toISOString()): TestClock {
  let now = new Date(start);
  return {
    now: () => new Date(now),
    sleep: systemClock.sleep,
    set: (time) => {
      now = new Date(time);
    },
    advance: (ms) => {
      now = new Date(now.getTime() + ms);
    },
  };
}
