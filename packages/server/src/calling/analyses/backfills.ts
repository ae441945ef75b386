import { namedIn } from '../../conversations/agents/agents.ts';
import type { Extractor, Extractors } from '../../conversations/extractors/extractors.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { multiplyDecimals } from '../../lib/decimal.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import {
  advanceBackfill,
  type BackfillRow,
  cancelBackfill,
  countDropped,
  countOpenAnalyses,
  countOpenBackfills,
  countWanted,
  deleteBackfillsOf,
  deleteOldBackfills,
  endBackfill,
  findBackfill,
  insertBackfill,
  listBackfills,
  lockBackfill,
  nextWanted,
  type Wanted,
  waitsForBudget,
} from './backfill-store.ts';
import { type BackfillFilter, MAX_BACKFILL_CALLS, MAX_OPEN_BACKFILLS } from './schema.ts';
import { ANALYSIS, type Starting } from './starting.ts';
import { dropOpen, meanCost, queuedOf } from './store.ts';

/** The kind of work that queues the analyses of a backfill, under its id. */
export const BACKFILL = 'analysis_backfill';

/** Sessions that one round looks at. */
const WINDOW = 100;
/** Open analyses of one backfill: those of calls that end meanwhile do not wait behind more. */
const MAX_OPEN = 200;
const PAUSE_MS = 2_000;
/** Time between looks at a budget that is spent. */
const BUDGET_MS = 60_000;
/** Analyses whose mean cost is the estimate. */
const AMONG = 100;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit' | 'work'> {
  extractors: Extractors;
  starting: Starting;
}

export type Backfills = ReturnType<typeof createBackfills>;

/** Backfills: analyses of calls that have ended before. */
export function createBackfills({ db, clock, audit, work, extractors, starting }: Deps) {
  /** Throws `InvalidFields` for an extractor that the user has not, and for what cannot be the id of an agent. */
  async function extractorOf(user_id: string, text: string, { agent_id }: BackfillFilter): Promise<Extractor> {
    if (agent_id !== undefined && !isId(agent_id)) throw new InvalidFields(NO_AGENT);
    const named = namedIn(text);
    const [found] = named ? await extractors.named(db, user_id, [named]) : [];
    const msg = 'Input should be an extractor of the user';
    if (!found) throw new InvalidFields({ field: 'extractor', msg, type: 'value_error', input: text });
    return found;
  }

  /** The number of calls, at most `MAX_BACKFILL_CALLS`, and what they would cost. */
  async function estimate(user_id: string, text: string, filter: BackfillFilter) {
    const extractor = await extractorOf(user_id, text, filter);
    const calls = await countWanted(db, wantedOf(user_id, filter, extractor), MAX_BACKFILL_CALLS);
    const mean = await meanCost(db, user_id, extractor.name, AMONG);
    return {
      ...NOTHING,
      extractor: extractor.name,
      extractor_version: extractor.version,
      filter,
      calls,
      estimated_cost: mean === null ? null : multiplyDecimals(mean, String(calls)),
    };
  }

  /** Begins to analyse the calls. Throws `too_many_backfills`. */
  async function start(user_id: string, text: string, filter: BackfillFilter, actor: Actor) {
    const { name, version } = await extractorOf(user_id, text, filter);
    const row = await db.transaction().execute(async (trx) => {
      if ((await countOpenBackfills(trx, user_id)) >= MAX_OPEN_BACKFILLS) throw new AppError('too_many_backfills');
      const added = await insertBackfill(trx, {
        id: newId(),
        user_id,
        extractor: name,
        extractor_version: version,
        filter: JSON.stringify(filter),
        state: 'running',
        created_at: clock.now(),
        ended_at: null,
      });
      await work.add(trx, [{ kind: BACKFILL, key: added.id }]);
      const after = { extractor: `${name}@${version}`, filter };
      await audit.record(trx, actor, 'analysis_backfill.started', `analysis_backfill/${added.id}`, { user_id, after });
      return added;
    });
    return viewOf(row);
  }

  /** Throws `not_found`. */
  async function find(id: string, caller: string | null): Promise<BackfillRow> {
    const row = isId(id) ? await findBackfill(db, id) : undefined;
    if (!row || (caller !== null && row.user_id !== caller)) throw new AppError('not_found');
    return row;
  }

  /**
   * Ends one in progress: what nobody has begun is not analysed, what is there stays. First it asks for nothing more,
   * then it withdraws what it has asked for, so that a request that was interrupted is completed by another one.
   */
  async function cancel(id: string, caller: string | null, actor: Actor) {
    const { user_id } = await find(id, caller);
    await db.transaction().execute(async (trx) => {
      if (await cancelBackfill(trx, id, clock.now()))
        await audit.record(trx, actor, 'analysis_backfill.canceled', `analysis_backfill/${id}`, { user_id });
    });
    if ((await find(id, caller)).state === 'canceled')
      await db.transaction().execute(async (trx) => {
        const waiting = await queuedOf(trx, id);
        await work.withdraw(trx, ANALYSIS, waiting);
        await countDropped(trx, id, await dropOpen(trx, id, waiting));
      });
    return viewOf(await find(id, caller));
  }

  /**
   * Queues some more, and remembers in the same transaction how far it is: a process that dies repeats nothing. While
   * the budget of the user is spent it queues none, and looks again later.
   */
  async function run({ key }: { key: string }): Promise<Date | null> {
    if ((await countOpenAnalyses(db, key)) >= MAX_OPEN) return new Date(clock.now().getTime() + PAUSE_MS);
    const next = await db.transaction().execute((trx) => advance(trx, key));
    return next === null ? null : new Date(clock.now().getTime() + next);
  }

  /** Returns the time after which there is more to do; null if there is nothing. */
  async function advance(trx: Db, id: string): Promise<number | null> {
    const row = await lockBackfill(trx, id);
    if (!row || row.is_scanned || row.ended_at !== null) return null;
    const { user_id, extractor: name, extractor_version: version, after_session } = row;
    if (await waitsForBudget(trx, row, clock.now())) return BUDGET_MS;
    const [extractor] = await extractors.named(trx, user_id, [{ name, version }]);
    const next = extractor
      ? await nextWanted(trx, wantedOf(user_id, JSON.parse(row.filter), extractor), after_session, WINDOW)
      : { ids: [], last: null };
    let queued = 0;
    // In the order of the ids, like everybody who locks several sessions.
    if (extractor) for (const call of next.ids.toReversed()) queued += await starting.start(trx, call, [extractor], id);
    const is_scanned = next.last === null;
    await advanceBackfill(trx, id, { after_session: next.last, queued, is_scanned });
    if (is_scanned) await endBackfill(trx, id, clock.now());
    return is_scanned ? null : 0;
  }

  return {
    estimate,
    start,
    get: async (id: string, caller: string | null) => viewOf(await find(id, caller)),
    list: async (user_id: string, page: PageRequest) => {
      const { items, next_cursor } = toPage(await listBackfills(db, user_id, page), page.limit, ({ id }) => id);
      return { items: items.map(viewOf), next_cursor };
    },
    cancel,
    kind: { run } satisfies Kind,
    erase: deleteBackfillsOf,
    deleteOlder: (batch: Batch) => deleteOldBackfills(db, batch),
  };
}

const NO_AGENT = { field: ['filter', 'agent_id'], msg: 'Input should be the id of an agent', type: 'value_error' };
const NOTHING = {
  backfill_id: null,
  state: 'estimate',
  queued: 0,
  done: 0,
  failed: 0,
  created_at: null,
  ended_at: null,
} as const;

function wantedOf(user_id: string, filter: BackfillFilter, { when }: Extractor): Wanted {
  const { direction: only_direction, ...others } = when ?? {};
  return { ...others, ...filter, only_direction, user_id };
}

function viewOf({ id, user_id: _, after_session: __, is_scanned: ___, filter, ...row }: BackfillRow) {
  return { backfill_id: id, ...row, filter: JSON.parse(filter), calls: null, estimated_cost: null };
}
