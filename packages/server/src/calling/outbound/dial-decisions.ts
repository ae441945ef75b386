import type { Static } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import { createBatcher } from '../../lib/batcher.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import { owned } from '../../lib/principal.ts';
import { type Evaluation, type Inputs, type Place, type PurposeName, placeOf } from '../policies/policies.ts';
import type { NumberHashes } from '../suppressions/suppressions.ts';
import type { Durations } from './call-data.ts';
import type { DialCheckRequest } from './decision-schema.ts';
import { assertCallable, type CallingPolicy } from './destinations.ts';
import { assertPlace, attemptOf, type DialAttempt, isLate, refusalOf } from './dial-attempts.ts';
import type { Limits } from './limits.ts';
import { assertPlaceable, type OutboundCall } from './placing.ts';
import {
  addDecisions,
  type BeforeDial,
  type DecisionRow,
  deleteOldDecisions,
  deleteSomeDecisions,
  findDecision,
  listDecisions,
  readBeforeDial,
  type StateBeforeDial,
} from './store.ts';

export type Decisions = ReturnType<typeof createDecisions>;

interface Deps {
  db: Db;
  clock: Clock;
  agents: Agents;
  sessions: Pick<Sessions, 'lock'>;
  limits: Limits;
  policy: CallingPolicy;
  hashes: NumberHashes;
  durations: Durations;
}

/** A call has one decision or two, and one for each transfer. */
const OF_CALL = 100;
const PART = 1_000;
/** Several concurrent batches, so that a dead connection only delays the calls on it. */
const LIMITS = { batch_size: 500, queue_depth: 10_000, concurrency: 2 };

/** Decisions about attempts to dial: those that were made, and those that would be. */
export function createDecisions({ db, clock, agents, sessions, limits, policy, hashes, durations }: Deps) {
  const beforeDial = createBatcher<BeforeDial, StateBeforeDial>({
    limits: LIMITS,
    runBatch: async (calls) => {
      const found = await readBeforeDial(db, calls);
      return calls.map(({ id }) => found.get(id) ?? new AppError('not_found'));
    },
  });

  /** The decision about an attempt as it would be now, or at a later time. */
  async function decide(attempt: DialAttempt, at?: Date) {
    const [decided] = await limits.checkEach(db, attempt.user_id, [attempt], at);
    if (!decided) throw new AppError('internal_error');
    return decided;
  }

  /** Decides as `POST /api/calls/outbound` would now, and throws what it would throw; dials and records nothing. */
  async function check(user_id: string, input: Static<typeof DialCheckRequest>) {
    const agent = await agents.forOne({ id: input.agent_id, user_id, number: input.phone_number });
    assertCallable(input.phone_number, policy);
    assertPlace(input);
    const attempt = attemptOf(user_id, agent, input, await hashes());
    const { row } = await decide(attempt);
    const { outcome, not_before, reasons, policy: name, policy_version, inputs, inputs_hash, evaluated_at } = view(row);
    return { outcome, not_before, reasons, policy: name, policy_version, inputs, inputs_hash, evaluated_at };
  }

  /**
   * Decides about a call at a later time, from what is known now. Throws what placing it would throw for its fields,
   * its agent and its destination; returns `dial_denied`, `dial_deferred`, or null, and records nothing.
   */
  async function foresee(user_id: string, input: OutboundCall, at: Date) {
    const { agent_id: id, agent_version: version, phone_number: number, from_number } = input;
    const agent = await agents.forOne({ id, user_id, version, number });
    const holders = await agents.numberHolders(db, typeof from_number === 'string' ? [from_number] : []);
    assertPlaceable(user_id, input, agent, holders, { policy, durations });
    return refusalOf(await decide(attemptOf(user_id, agent, input, await hashes()), at));
  }

  /**
   * The state of a placed call, and whether it may still be dialled: decided again if its number is suppressed by now,
   * or if a while has passed, for instance because the media server was slow. Records why not.
   */
  async function stillAllows({ id, created_at }: Session, attempt: DialAttempt) {
    const read = () => beforeDial({ id, number_hash: attempt.number_hash });
    const { call_status, is_suppressed } = await read();
    if (!isLate(created_at, clock.now()) && !is_suppressed) return { isAllowed: true, call_status };
    const { evaluation, row } = await decide({ ...attempt, isPlaced: true });
    // It may have ended while it was decided.
    if (evaluation.outcome === 'allow') return { isAllowed: true, call_status: (await read()).call_status };
    await db.transaction().execute(async (trx) => {
      // An erasure waits, or is found.
      const { erased_at } = await sessions.lock(trx, id);
      if (erased_at === null) await addDecisions(trx, [row]);
    });
    return { isAllowed: false, call_status: (await read()).call_status };
  }

  return {
    check,
    foresee,
    stillAllows,
    list: async (user_id: string, phone_number: string | undefined, page: PageRequest) => {
      const number = phone_number === undefined ? undefined : canonicalNumber(phone_number);
      const rows = await listDecisions(db, user_id, { phone_number: number }, page);
      const { items, next_cursor } = toPage(rows, page.limit, ({ id }) => id);
      return { items: items.map(view), next_cursor };
    },
    /** With its user. Throws `not_found`, also for a decision of another user than the caller. */
    get: async (trx: Db, id: string, caller: string | null) => {
      const row = owned(isId(id) ? await findDecision(trx, id) : undefined, caller);
      return { ...view(row), user_id: row.user_id };
    },
    /** In order. */
    ofCall: async ({ id, user_id }: Session) => {
      const rows = await listDecisions(db, user_id, { call_id: id }, { limit: OF_CALL, after: null });
      return rows.map(view).reverse();
    },
    /** The place that was given for whoever was called; empty if none was, or if nothing was decided about the call. */
    placeOfCall: async ({ id, user_id }: Session): Promise<Place> => {
      const rows = await listDecisions(db, user_id, { call_id: id }, { limit: OF_CALL, after: null });
      const call = rows.findLast(({ kind }) => kind === 'call');
      return call ? placeOf((JSON.parse(call.inputs) as Pick<Inputs, 'person'>).person) : {};
    },
    /** Whether there may be more. */
    erasePart: async (trx: Db, user_id: string) => (await deleteSomeDecisions(trx, user_id, PART)) > 0,
    deleteOlder: (batch: Batch) => deleteOldDecisions(db, batch),
  };
}

function view({ user_id: _user_id, ...row }: DecisionRow) {
  return {
    ...row,
    purpose: row.purpose as PurposeName,
    reasons: JSON.parse(row.reasons) as Evaluation['reasons'],
    inputs: JSON.parse(row.inputs) as JsonObject,
  };
}
