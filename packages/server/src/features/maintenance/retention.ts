import { readTime } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { dropLease, isLeased, takeLease } from '../../db/lease.ts';
import { ensurePartitions, PARTITIONS_FAILED } from '../../db/partitions.ts';
import { type Clock, DAY_MS } from '../../lib/clock.ts';
import { idsFrom, newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import type { Secrets } from '../callbacks/secrets.ts';

/** Held during a round and renewed with each batch; another process may start once it has expired. */
const LEASE = 'retention';
const LEASE_MS = 60_000;
/**
 * Acquired after a round and never released: its expiry makes the next round due. Hourly, so that there is never much
 * to delete.
 */
const REST = 'retention_rest';
const REST_MS = 60 * 60 * 1000;
const BATCH = 1_000;

/** Another process runs the round, or this one is stopping. */
const LEASE_LOST = new Error('the lease on cleaning up was lost');

/** Renews the lease; throws `LEASE_LOST` if that is no longer possible. */
type KeepLease = () => Promise<void>;

/** Rows that are deleted at a certain age. */
interface Kept {
  /** Undefined: kept forever. */
  days: number | undefined;
  deleteOlder: DeleteOlder;
}

/** Deletes up to `limit` rows created before the id `before`; returns their number. */
type DeleteOlder = (before: string, limit: number) => Promise<number>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  secrets: Secrets;
  /** Kinds of rows by name. */
  kept: Record<string, Kept>;
}

/** Deletes expired data, encrypts secrets with the newest key, and creates partitions for the coming months. */
export function createRetention({ db, clock, log, secrets, kept }: Deps) {
  /** Always runs after a start: the settings may have changed, for example the key for secrets. */
  let isNew = true;
  let isStopping = false;

  /**
   * Runs a round if no replica has within an hour, or if this process has just started; one process at a time. If a
   * round fails or its process dies, any replica repeats it.
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
      // A lease that cannot be released expires.
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

  /** In batches, so that no transaction blocks calls for long. The age is that of the id, which nobody can change. */
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
    /** Ends a running round after its current batch, and starts no more. */
    stop: () => {
      isStopping = true;
    },
  };
}
