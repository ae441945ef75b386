import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 10;

/**
 * Polls until `ready` accepts the result, and returns it; throws with the last result after `withinMs`: a minute by
 * default, for busy machines.
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  ready: (answer: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (ready(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms; last: ${JSON.stringify(answer)}`);
    await sleep(EVERY_MS);
  }
}
