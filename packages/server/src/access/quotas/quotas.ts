import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import {
  addRow,
  addUpChanges,
  findMissing,
  forgetStored,
  nextUncounted,
  readStored,
  recordCounted,
  type Stored,
} from './store.ts';
import { createThresholds, QUOTA_THRESHOLD, type Reached } from './thresholds.ts';

export type { Reached };
export type Quotas = ReturnType<typeof createQuotas>;

/** Bytes; null: any number. */
interface QuotaLimits {
  stored: number | null;
  written: number | null;
}

/** Time that what is stored for a user is remembered; what this process lets pass meanwhile is added. */
const REMEMBERED_MS = 1_000;
/** Users remembered; the others' figures are read again. */
const MAX_USERS = 10_000;
/** Users counted in one round after an upgrade, which must not saturate the database. */
const USERS_PER_ROUND = 50;

/** Figures of a user, and the bytes that were let pass since they were read. */
interface Remembered {
  stored: Promise<Stored>;
  until: number;
  passed: number;
}

interface Deps extends Omit<Parameters<typeof createThresholds>[0], 'limit'> {
  limits: QuotaLimits;
}

/**
 * Limits on the bytes that the users' own keys store and write. The database's triggers count, in every transaction.
 */
export function createQuotas({ limits, ...deps }: Deps) {
  const { db } = deps;
  const thresholds = createThresholds({ ...deps, limit: limits.stored });
  const users = new Map<string, Remembered>();

  function remembered(user_id: string): Remembered {
    const now = performance.now();
    const known = users.get(user_id);
    if (known && known.until > now) return known;
    const one = { stored: readStored(db, user_id), until: now + REMEMBERED_MS, passed: 0 };
    one.stored.catch(() => users.get(user_id) === one && users.delete(user_id));
    users.delete(user_id);
    users.set(user_id, one);
    const [oldest] = users.keys();
    if (users.size > MAX_USERS && oldest !== undefined) users.delete(oldest);
    return one;
  }

  /**
   * Lets a user write this many bytes. Throws `quota_exceeded` once too much is stored, and `too_many_requests` once
   * too much was written in this minute, by all processes.
   */
  async function admit(user_id: string, bytes: number): Promise<void> {
    if (limits.stored === null && limits.written === null) return;
    const one = remembered(user_id);
    const { stored_bytes, written_bytes, minute_left_s } = await one.stored;
    const passed = one.passed + bytes;
    if (limits.stored !== null && stored_bytes + passed > limits.stored)
      throw new AppError('quota_exceeded', {
        detail: `The user has reached the limit on stored bytes: ${stored_bytes} of ${limits.stored}.`,
      });
    if (limits.written !== null && written_bytes + passed > limits.written)
      throw new AppError('too_many_requests', {
        detail: `The user may write ${limits.written} bytes a minute.`,
        retry_after_s: Math.max(1, minute_left_s),
      });
    one.passed = passed;
  }

  /** Throws `not_found` for another user than the caller. */
  async function get(user_id: string, caller: string | null) {
    if (caller !== null && caller !== user_id) throw new AppError('not_found');
    const { stored_bytes, written_bytes } = await readStored(db, user_id);
    return {
      user_id,
      stored_bytes,
      stored_bytes_limit: limits.stored,
      written_bytes_this_minute: written_bytes,
      written_bytes_limit: limits.written,
    };
  }

  /** Adds up changes, and after an upgrade counts what was stored before. Other processes may do the same. */
  async function round(): Promise<void> {
    while (await db.transaction().execute(addUp));
    for (let counted = 0; counted < USERS_PER_ROUND; counted++) {
      const next = await nextUncounted(db);
      if (!next) return;
      await recordCounted(db, next, next.user_id === null ? 0 : await count(next.user_id));
    }
  }

  /** Counts all that is stored for a user, and returns how much of it is missing in the user's figures. */
  async function count(user_id: string): Promise<number> {
    await addRow(db, user_id);
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => findMissing(trx, user_id));
  }

  async function addUp(trx: Db): Promise<boolean> {
    const { isMore, crossing } = await addUpChanges(trx, limits.stored);
    await thresholds.ask(trx, crossing);
    return isMore;
  }

  return {
    admit,
    get,
    round,
    work: { [QUOTA_THRESHOLD]: thresholds.kind },
    erase: async (trx: Db, user_id: string): Promise<void> => {
      await forgetStored(trx, user_id);
      await thresholds.withdraw(trx, user_id);
    },
  };
}
