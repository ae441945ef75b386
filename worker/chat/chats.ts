/** Answers chats: claims their turns from Switchboard, as many at a time as there is room for, apart from calls. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SwitchboardError, type Task } from '@switchboard/client';
import type { ChatOutcome } from '../metrics.ts';
import { runTurn, type TurnDeps } from './turn.ts';

const WAIT_S = 20;
/** Pauses after a claim that failed: doubled each time, and at once the longest if it is refused. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Time to give back what is not finished. */
const RETURN_MS = 5_000;

interface Deps extends TurnDeps {
  capacity: number;
  answered: (outcome: ChatOutcome) => void;
}

export type Chats = ReturnType<typeof serveChats>;

/** Claims turns until it is stopped. */
export function serveChats({ capacity, answered, ...deps }: Deps) {
  const { tasks, log } = deps;
  const [claiming, cutting] = [new AbortController(), new AbortController()];
  const running = new Set<Promise<void>>();

  const pause = (ms: number) => sleep(ms, undefined, { signal: claiming.signal }).catch(() => {});

  async function claim(): Promise<void> {
    let failures = 0;
    while (!claiming.signal.aborted) {
      if (running.size >= capacity) {
        await Promise.race(running);
        continue;
      }
      try {
        const body = { kind: 'chat_turn' as const, capacity: capacity - running.size, wait_s: WAIT_S };
        const askedAt = performance.now();
        const { tasks: claimed } = await tasks.claim(body, { signal: claiming.signal, maxRetries: 0 });
        if (failures > 0) log.warn({}, 'chats are answered again');
        failures = 0;
        for (const task of claimed) start(task);
        // A service that stops lets all who wait go at once.
        if (claimed.length === 0 && performance.now() - askedAt < PAUSE_MS) await pause(PAUSE_MS);
      } catch (error) {
        if (claiming.signal.aborted) return;
        // Once, not with every attempt: calls go on without chats.
        if (failures === 0) log.warn({ error }, 'chats cannot be claimed, and are not answered');
        await pause(pauseMs(error, failures++));
      }
    }
  }

  function start(task: Task): void {
    const turn: Promise<void> = runTurn(task, deps, cutting.signal)
      .then(answered, (error: unknown) => log.error({ error, task_id: task.task_id }, 'a chat turn failed'))
      .finally(() => running.delete(turn));
    running.add(turn);
  }

  const claims = claim();
  return {
    /** Claims no more, lets turns end until `drainMs` are over, and then gives the rest back. */
    async stop(drainMs: number): Promise<void> {
      claiming.abort();
      await claims;
      await within(drainMs, running);
      cutting.abort();
      await within(RETURN_MS, running);
    },
  };
}

async function within(ms: number, running: Set<Promise<void>>): Promise<void> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([Promise.all(running), late]);
  over.abort();
}

/** A service without the endpoint, or a key that may not use it, will not change soon. */
function pauseMs(error: unknown, failures: number): number {
  const { status = null, retryAfterMs = null } = error instanceof SwitchboardError ? error : {};
  if (status !== null && status < 500 && status !== 429) return LONGEST_PAUSE_MS;
  return Math.max(retryAfterMs ?? 0, Math.min(PAUSE_MS * 2 ** Math.min(failures, 5), LONGEST_PAUSE_MS));
}
