/** Interval at which the process looks whether it still runs, and how late it may be. */
const [TICK_MS, JITTER_MS] = [10, 5];

/**
 * Counts the time in which this process waits, until the returned function is called, which returns it in milliseconds:
 * what a request waits for in a service of the same process, without the time in which both work, or a busy machine
 * lets neither run.
 */
export function countWaiting(): () => number {
  const begun = performance.now();
  let [last, busy] = [begun, 0];
  const look = () => {
    const now = performance.now();
    const late = now - last - TICK_MS;
    if (late > JITTER_MS) busy += late;
    last = now;
  };
  const timer = setInterval(look, TICK_MS);
  return () => {
    clearInterval(timer);
    look();
    return last - begun - busy;
  };
}
