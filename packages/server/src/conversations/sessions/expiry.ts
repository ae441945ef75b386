import type { Kept } from '../../db/privacy-tables.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Platform } from '../../platform.ts';
import { countHeldBack, lockExpired, setExpired } from './expiry-store.ts';

/** Deletes data of sessions that their agents keep for less time than the installation. */
export function createExpiry({ db, clock }: Pick<Platform, 'db' | 'clock'>) {
  return {
    /**
     * Deletes the data of this kind of up to `limit` sessions, of which `erase` deletes what other features have;
     * returns their number.
     */
    expire: (kind: Kept, limit: number, erase: (trx: Db, ids: string[]) => Promise<void>): Promise<number> =>
      db.transaction().execute(async (trx) => {
        const now = clock.now();
        const ids = await lockExpired(trx, kind, now, new Date(now.getTime() - DAY_MS), limit);
        if (ids.length === 0) return 0;
        await erase(trx, ids);
        await setExpired(trx, kind, ids);
        return ids.length;
      }),
    /** The sessions whose data it does not delete, because a legal hold keeps it. */
    countHeld: (kind: Kept): Promise<number> => countHeldBack(db, kind, clock.now()),
  };
}
