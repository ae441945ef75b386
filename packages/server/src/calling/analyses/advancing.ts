import type { Extractor, Extractors } from '../../conversations/extractors/extractors.ts';
import { isBudgetSpent } from '../../db/reserves.ts';
import type { Db } from '../../db/tables.ts';
import type { Platform } from '../../platform.ts';
import {
  advanceBackfill,
  countOpenAnalyses,
  endBackfill,
  findBackfill,
  lockBackfill,
  nextWanted,
  setBackfillState,
  type Wanted,
} from './backfill-store.ts';
import type { BackfillFilter } from './schema.ts';
import type { Starting } from './starting.ts';

/** Sessions that one round looks at. */
const WINDOW = 100;
/** Open analyses of one backfill: those of calls that end meanwhile do not wait behind more. */
const MAX_OPEN = 200;
const PAUSE_MS = 2_000;
/** Time between looks at a budget that is spent. */
const BUDGET_MS = 60_000;
/** A backfill was canceled, or went on in another process: what was queued for it is rolled back. */
const MOVED = new Error('the backfill has moved');

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  extractors: Extractors;
  starting: Starting;
}

/** Goes on with a backfill, as work; returns when there is more to do, null if there is nothing. */
export function createAdvancing({ db, clock, extractors, starting }: Deps) {
  /**
   * Queues some more, and remembers in the same transaction how far it is: a process that dies repeats nothing. While
   * the budget of the user is spent it queues none, and looks again later.
   */
  async function run({ key }: { key: string }): Promise<Date | null> {
    const room = MAX_OPEN - (await countOpenAnalyses(db, key));
    if (room <= 0) return new Date(clock.now().getTime() + PAUSE_MS);
    const next = await db
      .transaction()
      .execute((trx) => advance(trx, key, Math.min(room, WINDOW)))
      .catch((error: unknown) => {
        if (error !== MOVED) throw error;
        return 0;
      });
    return next === null ? null : new Date(clock.now().getTime() + next);
  }

  /**
   * Looks at up to `window` sessions. Returns the time after which there is more to do; null if there is nothing. Locks
   * the calls before the backfill, like whoever erases calls and counts their analyses. Throws `MOVED`.
   */
  async function advance(trx: Db, id: string, window: number): Promise<number | null> {
    const row = await findBackfill(trx, id);
    if (!row || row.is_scanned || row.ended_at !== null) return null;
    const { user_id, extractor: name, extractor_version: version, after_session } = row;
    const state = (await isBudgetSpent(trx, user_id, clock.now())) ? 'out_of_budget' : 'running';
    if (row.state !== state) await setBackfillState(trx, id, state);
    if (state === 'out_of_budget') return BUDGET_MS;
    // Its state has changed, which locks it.
    if (row.state !== state) return 0;
    const [extractor] = await extractors.named(trx, user_id, [{ name, version }]);
    const next = extractor
      ? await nextWanted(trx, wantedOf(user_id, JSON.parse(row.filter), extractor), after_session, window)
      : { ids: [], last: null };
    let queued = 0;
    // In the order of the ids, like everybody who locks several sessions.
    if (extractor) for (const call of next.ids.toReversed()) queued += await starting.start(trx, call, [extractor], id);
    const known = await lockBackfill(trx, id);
    if (!known || known.is_scanned || known.after_session !== after_session) throw MOVED;
    const is_scanned = next.last === null;
    await advanceBackfill(trx, id, { after_session: next.last, queued, is_scanned });
    if (is_scanned) await endBackfill(trx, id, clock.now());
    return is_scanned ? null : 0;
  }

  return run;
}

export function wantedOf(user_id: string, filter: BackfillFilter, { when }: Extractor): Wanted {
  const { direction: only_direction, ...others } = when ?? {};
  return { ...others, ...filter, only_direction, user_id };
}
