import { afterCommit } from '../db/after-commit.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import type { Metrics } from '../lib/metrics.ts';
import {
  addWork,
  countWork,
  deleteTasksOf,
  deleteWork,
  findPayload,
  listFailing,
  lockWork,
  readProgress,
  retryWork,
  type WorkRow,
} from './store.ts';

export type Work = ReturnType<typeof createWork>;

/** Failing work listed in one response. */
export const MAX_FAILING_LISTED = 100;

interface Deps {
  db: Db;
  clock: Clock;
  metrics: Metrics;
  /** Makes this process look for work, of which these kinds were added. */
  wake: (kinds: string[]) => void;
}

interface Added {
  kind: string;
  key: string;
  /** As its kind describes it. */
  payload?: object;
  due_at?: Date;
  /** The user whose task it is, for kinds that workers claim. */
  user_id?: string;
}

/**
 * Work that must happen later, in one table: added with the change that asks for it, done by any process. Callbacks,
 * reports, words and media events have tables of their own (ADR 0022).
 */
export function createWork({ db, clock, metrics, wake }: Deps) {
  async function add(trx: Db, work: Added[], restarts: boolean): Promise<void> {
    if (work.length === 0) return;
    const now = clock.now();
    await addWork(
      trx,
      work.map(({ payload = {}, due_at = now, user_id = null, ...named }) => ({ ...named, payload, due_at, user_id })),
      restarts,
      now,
    );
    afterCommit(trx, () => wake(work.map(({ kind }) => kind)));
  }

  /** Counts of the work of each kind, and the first failing work, of one kind or of all. */
  async function list(kind: string | undefined) {
    const [kinds, failing] = [await countWork(db, clock.now()), await listFailing(db, kind, MAX_FAILING_LISTED)];
    return { kinds, failing: failing.map(view) };
  }

  /** Makes work due at once. Throws `not_found`. */
  async function retry(id: string) {
    const row = isId(id) ? await retryWork(db, id, clock.now()) : undefined;
    if (!row) throw new AppError('not_found');
    wake([]);
    return view(row);
  }

  /** Sets the gauges of each kind. */
  async function measure(): Promise<void> {
    const now = clock.now();
    const counts = await countWork(db, now);
    metrics.work.reset();
    metrics.overdueWork.reset();
    for (const { kind, waiting, running, failing, oldest_due_at } of counts) {
      for (const [state, count] of Object.entries({ waiting, running, failing }))
        metrics.work.set({ kind, state }, count);
      metrics.overdueWork.set({ kind }, oldest_due_at === null ? 0 : (now.getTime() - oldest_due_at.getTime()) / 1000);
    }
  }

  return {
    /** In the transaction of the change that asks for it. Of work with the same key the earlier due time stays. */
    add: (trx: Db, work: Added[]) => add(trx, work, false),
    /** The same, but replaces what waits under the same key, and counts its attempts anew. */
    restart: (trx: Db, work: Added[]) => add(trx, work, true),
    /** The payload of work that is not done yet; null if there is none. */
    payloadOf: (kind: string, key: string, within: Db = db) => findPayload(within, kind, key),
    /** How far work of one kind is, by key: another text after every change. */
    progressOf: (kind: string, keys: string[]) => readProgress(db, kind, keys),
    /** Keeps work from being taken and from ending until the transaction ends. */
    lock: lockWork,
    /** Drops work, also what somebody holds; whether there was any. */
    withdraw: async (trx: Db, kind: string, keys: string[]) => (await deleteWork(trx, kind, keys)).length > 0,
    /** Drops the tasks of a user, also what somebody holds. */
    erase: { user: (trx: Db, { user_id }: { user_id: string }) => deleteTasksOf(trx, user_id) },
    list,
    retry,
    measure,
  };
}

function view({ key: subject, leased_until, ...row }: WorkRow) {
  return { ...row, subject, is_running: leased_until !== null };
}
