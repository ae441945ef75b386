import type { Static } from 'typebox';
import { type Idempotency, isAnswered } from '../../access/idempotency/idempotency.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { callOf } from '../outbound/call-data.ts';
import type { Decisions } from '../outbound/dial-decisions.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { OutboundCall } from '../outbound/placing.ts';
import { whereIs } from '../policies/policies.ts';
import type { Bookings } from './bookings.ts';
import { idOf, notBefore, owned, planIn, type Records, requestOf, SCHEDULED_CALL, view } from './records.ts';
import type { ScheduledCallMove } from './schema.ts';
import {
  deleteOldProposals,
  deleteOldScheduled,
  deleteSomeOfUser,
  findScheduled,
  listScheduled,
  lockScheduled,
  type ScheduledFilter,
  type ScheduledRow,
} from './store.ts';
import { isForLater, MAX_DAYS_AHEAD, moveTo, type Plan, planOf, planOfInstant, type When } from './times.ts';

export type Schedules = ReturnType<typeof createSchedules>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit' | 'work'> {
  decisions: Decisions;
  outbound: Pick<Outbound, 'start'>;
  records: Records;
  bookings: Bookings;
}

const PART = 1_000;
/** Windows in which a call must be allowed for the first time. */
const MAX_FORESEEN = 10;

/** Calls that are to be placed later: a row until then, and work that places them when they are due. */
export function createSchedules({ db, clock, audit, work, decisions, outbound, records, bookings }: Deps) {
  /** Starts a call, or schedules it if the request asks for that. */
  async function start(user_id: string, input: OutboundCall & When, idempotency: Idempotency | null) {
    const { if_missed, if_not_now } = input;
    const request = callOf(input);
    if (isForLater(input) || if_missed) return schedule(user_id, request, input, idempotency);
    try {
      return await outbound.start(user_id, request, idempotency);
    } catch (error) {
      const not_before = error instanceof AppError && error.code === 'dial_deferred' ? notBefore(error) : null;
      if (!if_not_now || not_before === null) throw error;
      const plan = planOfInstant(not_before, true, new Date(clock.now().getTime() + MAX_DAYS_AHEAD * DAY_MS));
      return bookings.book(user_id, request, plan, idempotency);
    }
  }

  async function schedule(user_id: string, request: OutboundCall, when: When, idempotency: Idempotency | null) {
    // A repeated request gets its answer even once its time has passed.
    const isRepeated = idempotency !== null && (await isAnswered(db, idempotency));
    const plan = isRepeated ? null : await foresee(user_id, request, when);
    return bookings.book(user_id, request, plan, idempotency);
  }

  /** The plan for a request, which begins when the call is allowed as far as is known. Throws why it never is. */
  async function foresee(user_id: string, request: OutboundCall, when: When): Promise<Plan> {
    let plan = planOf(when, whereIs(canonicalNumber(request.phone_number), request).zones, clock.now());
    for (let tries = 0; ; tries++) {
      const refusal = await decisions.foresee(user_id, request, plan.due_at);
      if (!refusal) return plan;
      const not_before = refusal.code === 'dial_deferred' ? notBefore(refusal) : null;
      const later = not_before && moveTo(plan, not_before);
      if (!later || tries >= MAX_FORESEEN) throw refusal;
      plan = later;
    }
  }

  async function change(id: string, user_id: string, to: (trx: Db, row: ScheduledRow) => Promise<ScheduledRow>) {
    return db.transaction().execute(async (trx) => {
      const row = owned(await lockScheduled(trx, idOf(id)), user_id);
      if (row.status !== 'SCHEDULED') throw new AppError('not_scheduled');
      return view(await to(trx, row));
    });
  }

  /** Gives it another time. Throws `not_scheduled` once it is placed or has ended. */
  async function move(user_id: string, id: string, when: Static<typeof ScheduledCallMove>, actor: Actor) {
    const found = owned(await findScheduled(db, idOf(id)), user_id);
    if (found.status !== 'SCHEDULED') throw new AppError('not_scheduled');
    const plan = await foresee(user_id, requestOf(found), when);
    return change(id, user_id, async (trx, row) => {
      const [before, after] = [timesOf(planIn(row)), timesOf(plan)];
      await audit.record(trx, actor, 'scheduled_call.moved', `scheduled_call/${id}`, { user_id, before, after });
      return records.move(trx, row, plan);
    });
  }

  function cancel(user_id: string, id: string, actor: Actor) {
    return change(id, user_id, async (trx, row) => {
      await audit.record(trx, actor, 'scheduled_call.canceled', `scheduled_call/${id}`, { user_id });
      return records.end(trx, row, { status: 'CANCELED', reason: 'canceled', detail: null });
    });
  }

  /** Whether there may be more. Work that is left over finds nothing to do. */
  async function erasePart(trx: Db, user_id: string): Promise<boolean> {
    const ids = await deleteSomeOfUser(trx, user_id, PART);
    await work.withdraw(trx, SCHEDULED_CALL, ids);
    return ids.length === PART;
  }

  return {
    start,
    foresee,
    move,
    cancel,
    get: async (user_id: string, id: string) => view(owned(await findScheduled(db, idOf(id)), user_id)),
    list: async (user_id: string, { phone_number, ...filter }: ScheduledFilter, page: PageRequest) => {
      const number = phone_number === undefined ? undefined : canonicalNumber(phone_number);
      const rows = await listScheduled(db, user_id, { ...filter, phone_number: number }, page);
      const { items, next_cursor } = toPage(rows, page.limit, ({ id }) => id);
      return { items: items.map(view), next_cursor };
    },
    erasePart,
    deleteOldProposals: (batch: Batch) => deleteOldProposals(db, batch),
    deleteOlder: (batch: Batch) => deleteOldScheduled(db, batch),
  };
}

/** The call that a scheduled one has become; null if there is none. */
export async function placedAs(db: Db, id: string): Promise<string | null> {
  return isId(id) ? ((await findScheduled(db, id))?.call_id ?? null) : null;
}

const timesOf = ({ due_at, latest_at }: Plan) => ({
  due_at: due_at.toISOString(),
  latest_at: latest_at.toISOString(),
});
