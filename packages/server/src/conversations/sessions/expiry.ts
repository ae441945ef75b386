import type { Kept } from '../../db/privacy-tables.ts';
import type { Deleted } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import { countHeldBack, findUntil, lockExpired, setExpired } from './expiry-store.ts';

/** Deletes data of sessions that their agents or users keep for less time than the installation. */
export function createExpiry({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  return {
    /** When the data of an existing session is deleted; null: by the installation's retention, or already. */
    keptUntil: (id: string) => findUntil(db, id),
    /**
     * Deletes the data of this kind of a batch of the sessions, of which `erase` deletes what other features have. No
     * batch has more than `limit`.
     */
    expire: (
      kind: Kept,
      limit: number,
      after: string | null,
      erase: (trx: Db, ids: string[]) => Promise<void>,
    ): Promise<Deleted> =>
      db.transaction().execute(async (trx) => {
        const now = clock.now();
        const ended_before = new Date(now.getTime() - DAY_MS);
        // The time of the end is included.
        const before = idsFrom(new Date(now.getTime() + 1));
        const { ids, next, again } = await lockExpired(trx, kind, ended_before, { before, limit, after });
        // Data that other features have made since then is kept as long as they say.
        const first = ids.filter((id) => !again.has(id));
        if (first.length > 0) await erase(trx, first);
        if (ids.length > 0) await setExpired(trx, kind, ids);
        return { deleted: ids.length, next };
      }),
    /** The sessions whose data it does not delete, because a legal hold keeps it. */
    countHeld: (kind: Kept): Promise<number> => countHeldBack(db, kind, clock.now()),
  };
}
