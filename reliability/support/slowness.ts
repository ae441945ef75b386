/** What the work below takes on a machine of ordinary speed, in milliseconds. */
const ORDINARY_MS = 6;
const TRIES = 9;

/** How many times slower than ordinary this machine is at what the service does with a body, and at least 1. */
export function slowness(): number {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, index) => ({ a: index, b: `x${index}` })));
  const times = Array.from({ length: TRIES }, () => {
    const begun = process.threadCpuUsage();
    JSON.stringify(JSON.parse(text));
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  });
  return Math.max(1, Math.min(...times) / ORDINARY_MS);
}
