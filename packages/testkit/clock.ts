import { type Clock, systemClock } from '../server/src/lib/clock.ts';

export interface TestClock extends Clock {
  /** Sets the time, as ISO 8601. It stands still there. */
  set(time: string): void;
  /** Advances by this many milliseconds. */
  advance(ms: number): void;
}

/** A clock that stands still at `start`, or now, until it is moved. Sleeping takes real time. */
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
