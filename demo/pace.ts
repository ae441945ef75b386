import { setTimeout as sleep } from 'node:timers/promises';

/** The pace of the demo: `fast` for machines, `normal` for people who watch. */
export const SPEED = process.env.DEMO_SPEED || (process.stdout.isTTY ? 'normal' : 'fast');
const isFast = SPEED === 'fast';

/** How long a sandbox phone rings, when the demo starts the service itself. */
export const RING_MS = isFast ? 100 : 1300;
const POLL_MS = 20;

const interrupted = new AbortController();
/** Fires on Ctrl-C, so that whatever waits stops waiting and the story ends the tidy way. */
export const interruption: AbortSignal = interrupted.signal;

/**
 * Lets Ctrl-C and a polite kill end the story through its `finally` blocks. npm passes each signal on a second time.
 */
export function listenForInterruption(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
}

/** A pause for the person who reads; hardly one in the fast version. */
export async function pause(ms: number): Promise<void> {
  await sleep(isFast ? ms / 50 : ms, undefined, { signal: interruption });
}

/** Asks again and again until there is an answer; undefined when there is none in `timeoutMs`. */
export async function poll<T>(ask: () => Promise<T | undefined>, timeoutMs: number): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > deadline) return answer;
    await sleep(POLL_MS, undefined, { signal: interruption });
  }
}
