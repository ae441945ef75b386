import { namedIn } from '../../conversations/agents/agents.ts';
import type { Extractor, Extractors } from '../../conversations/extractors/extractors.ts';
import type { Batch } from '../../db/retention-batches.ts';
import { multiplyDecimals } from '../../lib/decimal.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { type Actor, owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Kind } from '../../work/kinds.ts';
import { createAdvancing, wantedOf } from './advancing.ts';
import {
  type BackfillRow,
  cancelBackfill,
  countDropped,
  countOpenBackfills,
  countWanted,
  deleteBackfillsOf,
  deleteOldBackfills,
  findBackfill,
  insertBackfill,
  listBackfills,
} from './backfill-store.ts';
import { type BackfillFilter, MAX_BACKFILL_CALLS, MAX_OPEN_BACKFILLS } from './schema.ts';
import { ANALYSIS, type Starting } from './starting.ts';
import { dropOpen, meanCost, queuedOf } from './store.ts';

/** The kind of work that queues the analyses of a backfill, under its id. */
export const BACKFILL = 'analysis_backfill';

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
      await extractors.lock(trx, user_id);
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
    return owned(isId(id) ? await findBackfill(db, id) : undefined, caller);
  }

  /**
   * Ends one in progress: what nobody has begun, nor asked for otherwise, is not analysed, what is there stays. First
   * it asks for nothing more, then it withdraws what it has asked for, so that a request that was interrupted is
   * completed by another one.
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
        // Work before analyses, as their end does. Somebody else may have asked for some meanwhile.
        await work.lock(trx, ANALYSIS, waiting);
        const dropped = await dropOpen(trx, id, waiting);
        await work.withdraw(trx, ANALYSIS, dropped);
        await countDropped(trx, id, dropped.length);
      });
    return viewOf(await find(id, caller));
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
    kind: { run: createAdvancing({ db, clock, extractors, starting }) } satisfies Kind,
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

function viewOf({ id, user_id: _, after_session: __, is_scanned: ___, filter, ...row }: BackfillRow) {
  return { backfill_id: id, ...row, filter: JSON.parse(filter), calls: null, estimated_cost: null };
}
