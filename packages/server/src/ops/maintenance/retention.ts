import type { DataKeys } from '../../access/data-keys/data-keys.ts';
import type { Sessions } from '../../conversations/sessions/sessions.ts';
import { readTime } from '../../db/clock.ts';
import { countHeld } from '../../db/legal-holds.ts';
import { ensurePartitions, PARTITIONS_FAILED } from '../../db/partitions.ts';
import { KEPT, type Kept as KeptData } from '../../db/privacy-tables.ts';
import type { Deleted } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { Secrets } from '../../delivery/secrets/secrets.ts';
import type { Feature, Kept } from '../../feature.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Kinds, Task } from '../../work/kinds.ts';

/** Hourly, so that there is never much to delete. */
const EVERY_MS = 60 * 60 * 1000;
const BATCH = 1_000;
/** Sessions whose data is deleted in one transaction. */
const SESSIONS = 100;
/** Data that is kept as agents and users say, in the log and the metric. */
const ofRules = (kind: KeptData) => `${kind} of agents and users`;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'metrics'> {
  sessions: Sessions;
  secrets: Secrets;
  dataKeys: DataKeys;
  features: () => Feature[];
}

/**
 * Deletes expired data, encrypts secrets with the newest key, and creates partitions for the coming months. Also after
 * each start: the settings may have changed, for example the key for secrets.
 */
export function createRetention({ db, clock, log, metrics, sessions, secrets, dataKeys, features }: Deps): Kinds {
  async function tidy({ renew }: Task): Promise<null> {
    await prepare(renew);
    // From the last feature to the first: the words of calls are deleted once their transcripts are.
    const kept = features()
      .toReversed()
      .flatMap(({ keeps = {} }) => Object.entries(keeps));
    const steps = [
      ...kept.map(([what, rows]) => ({ what, run: () => deleteOld(rows, renew) })),
      ...KEPT.map((kind) => ({ what: ofRules(kind), run: () => expire(kind, renew) })),
    ];
    const deleted: Record<string, number> = {};
    const failures: unknown[] = [];
    // One kind of data that cannot be deleted keeps no other one from its end.
    for (const { what, run } of steps)
      await run().then(
        (count) => (deleted[what] = count),
        (error: unknown) => failures.push(error),
      );
    if (Object.values(deleted).some((count) => count > 0)) log.info({ deleted }, 'deleted rows past their retention');
    if (failures.length > 0) throw failures[0];
    await reportHeld(kept).catch((err: unknown) =>
      log.warn({ err }, 'conversations under a legal hold were not counted'),
    );
    return null;
  }

  /** Encrypts secrets and keys with the newest key, and creates partitions. */
  async function prepare(renew: Task['renew']): Promise<void> {
    const unopened = { secrets: await secrets.reseal(renew), data_keys: await dataKeys.reseal(renew) };
    if (unopened.secrets + unopened.data_keys > 0)
      log.error(
        { unopened },
        'some secrets cannot be encrypted again: what encrypted them is missing in SECRETS_KEY, or the key management service fails',
      );
    await renew();
    await ensurePartitions(db, await readTime(db)).catch((err: unknown) => log.error({ err }, PARTITIONS_FAILED));
  }

  /** Tells how many conversations it has skipped, because a legal hold keeps them. */
  async function reportHeld(kept: [string, Kept][]): Promise<void> {
    const held: Record<string, number> = {};
    // Most kinds are kept for the same time.
    const counts = new Map<number, number>();
    for (const [what, { days, isHeldBack }] of kept) {
      if (days === undefined || !isHeldBack) continue;
      const count = counts.get(days) ?? (await countHeld(db, idBefore(days)));
      counts.set(days, count);
      if (count > 0) held[what] = count;
    }
    for (const kind of KEPT) {
      const count = await sessions.countHeld(kind);
      if (count > 0) held[ofRules(kind)] = count;
    }
    for (const [what, count] of Object.entries(held)) metrics.retentionHeld.inc({ what }, count);
    if (Object.keys(held).length > 0) log.info({ held }, 'kept conversations past their retention: legal hold');
  }

  const idBefore = (days: number) => idsFrom(new Date(clock.now().getTime() - days * DAY_MS));

  /** In batches, so that no transaction blocks calls for long. The age is that of the id, which nobody can change. */
  async function deleteOld({ days, deleteOlder }: Kept, renew: Task['renew']): Promise<number> {
    if (days === undefined) return 0;
    const before = idBefore(days);
    return inBatches(renew, (after) => deleteOlder({ before, limit: BATCH, after }));
  }

  /** In batches too; from the last feature to the first, as above. */
  async function expire(kind: KeptData, renew: Task['renew']): Promise<number> {
    const erase = async (trx: Db, ids: string[]) => {
      for (const feature of features().toReversed()) await feature.expire?.[kind]?.(trx, ids);
    };
    return inBatches(renew, (after) => sessions.expire(kind, SESSIONS, after, erase));
  }

  return { retention: { run: tidy, everyMs: EVERY_MS } };
}

/** Returns how many rows were deleted in all. */
async function inBatches(renew: Task['renew'], deleteOne: (after: string | null) => Promise<Deleted>): Promise<number> {
  let total = 0;
  let after: string | null = null;
  do {
    await renew();
    const { deleted, next }: Deleted = await deleteOne(after);
    total += deleted;
    after = next;
  } while (after !== null);
  return total;
}
