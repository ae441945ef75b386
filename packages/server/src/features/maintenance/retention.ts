import { readTime } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { dropLease, isLeased, takeLease } from '../../db/lease.ts';
import { ensurePartitions, PARTITIONS_FAILED } from '../../db/partitions.ts';
import type { Clock } from '../../lib/clock.ts';
import { idsFrom, newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import type { Secrets } from '../callbacks/secrets.ts';

/** Held by the process that tidies, and renewed with each batch: another one may begin once it has run out. */
const LEASE = 'retention';
const LEASE_MS = 60_000;
/**
 * Taken when the work is done and never given back: it is due again once this has run out. Every hour, so that no night
 * has much to delete.
 */
const REST = 'retention_rest';
const REST_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 1_000;

/** Another process tidies, or this one is stopping. */
const LEASE_LOST = new Error('the lease on cleaning up was lost');

/** Renews the lease; throws `LEASE_LOST` where that is no longer possible. */
type KeepLease = () => Promise<void>;

/** Rows that are deleted at some age. */
interface Kept {
  /** Undefined: they are kept for ever. */
  days: number | undefined;
  deleteOlder: DeleteOlder;
}

/** Deletes up to `limit` rows made before the id `before`; tells how many. */
type DeleteOlder = (before: string, limit: number) => Promise<number>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  secrets: Secrets;
  /** Rows by what they are. */
  kept: Record<string, Kept>;
}

/**
 * Deletes what is older than the configuration keeps, seals secrets with the newest key, and makes partitions for the
 * months to come.
 */
export function createRetention({ db, clock, log, secrets, kept }: Deps) {
  /** The settings of a new process may ask for more than its predecessor has done: secrets sealed with another key. */
  let isNew = true;
  let isStopping = false;

  /**
   * Tidies if no replica has for an hour, or this process has just started; one process at a time. A round that fails
   * or whose process dies is repeated by whichever replica comes next.
   */
  async function round(): Promise<void> {
    if (!isNew && (await isLeased(db, REST))) return;
    const holder = newId();
    const keepLease = async () => {
      if (isStopping || !(await takeLease(db, LEASE, holder, LEASE_MS))) throw LEASE_LOST;
    };
    try {
      await tidy(keepLease);
      await takeLease(db, REST, holder, REST_MS);
      isNew = false;
    } catch (error) {
      if (error !== LEASE_LOST) throw error;
    } finally {
      // A lease that cannot be given back runs out.
      await dropLease(db, LEASE, holder).catch(() => {});
    }
  }

  async function tidy(keepLease: KeepLease): Promise<void> {
    const deleted: Record<string, number> = {};
    for (const [what, { days, deleteOlder }] of Object.entries(kept))
      deleted[what] = await deleteOld(days, deleteOlder, keepLease);
    const unopened = await secrets.reseal(keepLease);
    if (unopened > 0)
      log.error({ unopened }, 'no key of SECRETS_KEY decrypts some callback secrets: add the key that encrypted them');
    await keepLease();
    await ensurePartitions(db, await readTime(db)).catch((err: unknown) => log.error({ err }, PARTITIONS_FAILED));
    if (Object.values(deleted).some((count) => count > 0)) log.info({ deleted }, 'deleted rows past their retention');
  }

  /**
   * In batches, so that no transaction holds up the calls. Age is that of the id: nobody can make a row look older or
   * younger.
   */
  async function deleteOld(days: number | undefined, deleteSome: DeleteOlder, keepLease: KeepLease): Promise<number> {
    if (days === undefined) return 0;
    const before = idsFrom(new Date(clock.now().getTime() - days * DAY_MS));
    let total = 0;
    for (let some = BATCH; some === BATCH; total += some) {
      await keepLease();
      some = await deleteSome(before, BATCH);
    }
    return total;
  }

  return {
    round,
    /** Ends a round that is under way after its current batch, and begins no more. */
    stop: () => {
      isStopping = true;
    },
  };
}
