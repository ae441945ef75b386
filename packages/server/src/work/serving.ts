import { heldLeases, takeLease } from '../db/lease.ts';
import type { Db } from '../db/tables.ts';
import type { Workers } from '../providers/workers.ts';
import { kindsWithWork, noteCallWorker, readCallWorkers } from './store.ts';
import type { TaskKindName } from './task-schema.ts';

export type Serving = ReturnType<typeof createServing>;

/** A name for who does the tasks of a kind. */
export type ServedBy = 'ok' | 'simulated' | 'unused' | 'nobody';

/** Operations of a provider that does tasks of a kind in the place of workers. */
const SIMULATIONS = {
  chat_turn: 'answerChat',
  scenario: 'runScenario',
  analysis: 'analyseCall',
  provider_check: 'checkModel',
  function_check: 'checkFunction',
} as const satisfies Record<TaskKindName, keyof Workers>;
const KINDS = Object.keys(SIMULATIONS) as TaskKindName[];

/** A worker that waits for tasks, or does one, is heard from more often. */
const SERVED_MS = 60_000;
/** How long it counts that somebody has asked for a task, who may have given up since. */
const ASKED_MS = 6 * 60 * 60_000;
/** Replicas write the same notes. */
const HOLDER = 'replicas';
const served = (kind: string) => `tasks served: ${kind}`;
const asked = (kind: string) => `tasks asked for: ${kind}`;

interface Deps {
  db: Db;
  workers: Workers;
}

/** Notes on who does tasks, as leases, so that replicas agree. Nobody waits for a note to be written. */
export function createServing({ db, workers }: Deps) {
  const noted = new Map<string, number>();
  const isSimulated = (kind: TaskKindName) => workers[SIMULATIONS[kind]] !== undefined;

  function note(name: string, ttlMs: number): void {
    const now = performance.now();
    if (now - (noted.get(name) ?? Number.NEGATIVE_INFINITY) < ttlMs / 4) return;
    noted.set(name, now);
    // A lost note is written again by the next occasion.
    takeLease(db, name, HOLDER, ttlMs).catch(() => noted.delete(name));
  }

  async function states(): Promise<Record<TaskKindName, ServedBy>> {
    const open = KINDS.filter((kind) => !isSimulated(kind));
    const [notes, waiting] = await Promise.all([
      heldLeases(db, [...open.map(served), ...open.map(asked)]),
      kindsWithWork(db, open),
    ]);
    const stateOf = (kind: TaskKindName): ServedBy => {
      if (isSimulated(kind)) return 'simulated';
      if (notes.has(served(kind))) return 'ok';
      return notes.has(asked(kind)) || waiting.has(kind) ? 'nobody' : 'unused';
    };
    return Object.fromEntries(KINDS.map((kind) => [kind, stateOf(kind)])) as Record<TaskKindName, ServedBy>;
  }

  return {
    /** A worker has claimed tasks of a kind, waits for some, or is at work on one. */
    noteServed: (kind: string): void => note(served(kind), SERVED_MS),
    /** Work of these kinds was added. */
    noteAsked: (kinds: string[]): void => {
      for (const kind of KINDS) if (kinds.includes(kind) && !isSimulated(kind)) note(asked(kind), ASKED_MS);
    },
    states,
    /** A worker has said how many calls it takes at the same time. Nobody waits for that, and it says so again. */
    noteCalls: ({ worker, max }: { worker: string; max: number }): void =>
      void noteCallWorker(db, worker, max).catch(() => {}),
    /** How many calls all workers take, and how many there are that need one; null where workers do not say. */
    calls: readCallWorkers,
  };
}
