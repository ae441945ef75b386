import { setTimeout as sleep } from 'node:timers/promises';

/** The pace of the demo: `fast` for machines, `normal` for people. */
export const SPEED = process.env.DEMO_SPEED || (process.stdout.isTTY ? 'normal' : 'fast');
const isFast = SPEED === 'fast';

/** Ring time of a sandbox phone, if the demo starts the service itself. */
export const RING_MS = isFast ? 100 : 1300;
const POLL_MS = 20;

const interrupted = new AbortController();
/** Fires on Ctrl-C, so that all waits stop and the demo cleans up. */
export const interruption: AbortSignal = interrupted.signal;

/** Lets Ctrl-C and SIGTERM end the demo through its `finally` blocks. npm forwards each signal a second time. */
export function listenForInterruption(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
}

/** A pause for the reader; hardly one in fast mode. */
export async function pause(ms: number): Promise<void> {
  await sleep(isFast ? ms / 50 : ms, undefined, { signal: interruption });
}

/** Polls until there is a result; undefined if there is none within `timeoutMs`. */
export async function poll<T>(ask: () => Promise<T | undefined>, timeoutMs: number): Promise<T | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > deadline) return answer;
    await sleep(POLL_MS, undefined, { signal: interruption });
  }
}
