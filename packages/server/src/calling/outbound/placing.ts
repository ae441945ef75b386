import { type Idempotency, onceEachInTransaction } from '../../access/idempotency/idempotency.ts';
import type { Agent, Agents, Callable as CallableAgent } from '../../conversations/agents/agents.ts';
import { privacyColumns } from '../../conversations/agents/privacy.ts';
import type { Session, Sessions } from '../../conversations/sessions/sessions.ts';
import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import type { PurposeName } from '../policies/policies.ts';
import type { HashNumber, NumberHashes } from '../suppressions/suppressions.ts';
import {
  assertHeaders,
  assertRecordable,
  assertWithin,
  callDataColumns,
  type DialData,
  type Durations,
  limitedBy,
} from './call-data.ts';
import { assertCallable, type CallingPolicy } from './destinations.ts';
import { assertPlace, attemptOf, type DialAttempt } from './dial-attempts.ts';
import type { Limits } from './limits.ts';

export type Placing = ReturnType<typeof createPlacing>;

/** The answer to `POST /api/calls/outbound`. */
export interface StartedCall {
  call_id: string;
  room_name: string;
  status: string;
  /** Only of a call that is placed later. */
  call_status?: 'SCHEDULED';
  due_at?: string;
}

/** A call to place: its agent, its phone, and its callback URL. */
export interface OutboundCall extends DialData {
  agent_id: string;
  /** One version of it, whatever is released. */
  agent_version?: number | null | undefined;
  phone_number: string;
  purpose?: PurposeName | null | undefined;
  time_zone?: string | null | undefined;
  region?: string | null | undefined;
  /** Present in the calls of campaigns. */
  policy?: string | null | undefined;
  campaign_id?: string | undefined;
  callback_url?: string | null | undefined;
}

/** A scheduled call that is placed now. */
export interface Booking {
  room_name: string;
  /** Locks it until the transaction ends; false if it is not to be placed any more. */
  claim(trx: Db): Promise<boolean>;
  /** Records in the same transaction that it was placed. */
  placed(trx: Db, call_id: string): Promise<void>;
}

/** The error for a scheduled call that is not to be placed any more. */
export const NOT_DUE = new Error('the scheduled call is not to be placed now');

interface Request {
  user_id: string;
  input: OutboundCall;
  idempotency: Idempotency | null;
  booking?: Booking | undefined;
}

interface Deps {
  db: Database['db'];
  clock: Clock;
  hashes: NumberHashes;
  agents: Agents;
  sessions: Sessions;
  policy: CallingPolicy;
  limits: Limits;
  durations: Durations;
}

/** Calls per transaction, concurrent transactions, and calls that may queue. */
const LIMITS = { batch_size: 50, concurrency: 2, queue_depth: 2_000 };
/** For calls whose agent is being changed: other calls must not wait with them. */
const PATIENT_LIMITS = { batch_size: 1, concurrency: 4, queue_depth: 2_000 };
/** The answer for a call whose agent is locked by a change of it: it is to be asked for again. */
export const AGENT_IS_CHANGING = new Error('an agent is being changed');

/** A request whose agent exists. */
type Callable = Request & { agent: CallableAgent; attempt: DialAttempt };

/** The response, and the call to dial; null for a repeated request, whose call was started before. */
interface Placed {
  answer: StartedCall;
  started: Started | null;
}

/** A call that was recorded and is to be dialled. */
export interface Started {
  agent: Agent;
  session: Session;
  /** The attempt to dial that was decided about. */
  attempt: DialAttempt;
}

/**
 * Records outbound calls before they are dialled. Concurrent ones share a transaction: with one each, a quarter as
 * many were placed in a benchmark.
 */
export function createPlacing({ db, hashes, agents, sessions, policy, limits, durations, clock }: Deps) {
  async function record(requests: Request[], isPatient: boolean): Promise<(Placed | Error)[]> {
    const started = new Map<string, Started>();
    // Before the transaction: reading the key takes a connection of its own.
    const hash = await hashes();
    const done = await onceEachInTransaction(db, requests, async (trx, fresh): Promise<(StartedCall | Error)[]> => {
      const added = await addEach(trx, await checkEach(trx, fresh, isPatient, hash));
      return added.map((one) => {
        if (one instanceof Error) return one;
        const { id: call_id, room_name } = one.session;
        started.set(call_id, one);
        return { call_id, room_name, status: 'RINGING' };
      });
    });
    return done.map((result) =>
      result instanceof Error
        ? result
        : { answer: result.answer, started: (result.first && started.get(result.answer.call_id)) || null },
    );
  }

  /** The requests with their agents, or the errors they are refused with. */
  async function checkEach(
    trx: Db,
    requests: Request[],
    isPatient: boolean,
    hash: HashNumber,
  ): Promise<(Callable | Error)[]> {
    // The lock makes an erasure of a user wait until the calls are recorded, or the calls find the agent gone.
    const wanted = requests.map(
      ({ input: { agent_id: id, agent_version: version, phone_number: number }, user_id }) => ({
        id,
        user_id,
        version,
        number,
      }),
    );
    const found = await agents.share(trx, wanted, isPatient);
    const numbers = requests.flatMap(({ input: { from_number } }) => from_number ?? []);
    const holders = await agents.numberHolders(trx, [...new Set(numbers)]);
    const checked = requests.map((request, index) =>
      check(request, found[index] ?? null, holders, hash, { policy, durations }),
    );
    return claimBookings(trx, checked);
  }

  /** Adds the sessions of calls within the limits; the others get the error they are refused with. */
  async function addEach(trx: Db, checked: (Callable | Error)[]): Promise<(Started | Error)[]> {
    const calls = checked.filter((one): one is Callable => !(one instanceof Error));
    const refusals = await limits.countCalls(
      trx,
      calls.map(({ user_id, input, attempt }) => ({ user_id, max_duration_s: input.max_duration_s, attempt })),
    );
    const allowed = calls.filter((_, index) => refusals[index] === null);
    const added = await sessions.addEach(
      trx,
      allowed.map((one) => toSession(one, clock.now())),
    );
    for (const [index, { booking }] of allowed.entries()) {
      const session = added[index];
      if (booking && session) await booking.placed(trx, session.id);
    }
    return checked.map((one) => {
      if (one instanceof Error) return one;
      const session = refusals[calls.indexOf(one)] ?? added[allowed.indexOf(one)] ?? new AppError('internal_error');
      return session instanceof Error ? session : { agent: one.agent, session, attempt: one.attempt };
    });
  }

  const placeAtOnce = createGroupCommit({
    limits: LIMITS,
    runBatch: (requests: Request[]) => record(requests, false),
  });
  const placePatiently = createGroupCommit({
    limits: PATIENT_LIMITS,
    runBatch: (requests: Request[]) => record(requests, true),
  });

  async function place(
    user_id: string,
    input: OutboundCall,
    idempotency: Idempotency | null,
    booking?: Booking,
  ): Promise<Placed> {
    const request = { user_id, input, idempotency, booking };
    try {
      return await placeAtOnce(request);
    } catch (error) {
      if (error === AGENT_IS_CHANGING) return placePatiently(request);
      throw error;
    }
  }

  return {
    place,
    /** Records calls in a transaction of the caller, who dials them once it has committed, or says why not. */
    placeWithin: async (trx: Db, user_id: string, inputs: OutboundCall[], hash: HashNumber) => {
      const requests = inputs.map((input) => ({ user_id, input, idempotency: null }));
      return addEach(trx, await checkEach(trx, requests, false, hash));
    },
  };
}

/** The request with its agent, or the error it is refused with. */
function check(
  request: Request,
  agent: CallableAgent | Error | null,
  holders: Map<string, string>,
  hash: HashNumber,
  { policy, durations }: Pick<Deps, 'policy' | 'durations'>,
): Callable | Error {
  const { user_id, input } = request;
  if (agent === null) return AGENT_IS_CHANGING;
  if (agent instanceof Error) return agent;
  try {
    assertPlaceable(user_id, input, agent, holders, { policy, durations });
  } catch (error) {
    return error as Error;
  }
  return {
    ...request,
    input: limitedBy(agent, input, durations),
    agent,
    attempt: attemptOf(user_id, agent, input, hash),
  };
}

/** The calls; those that were scheduled, if they are still due. Locked after the agents, as an erasure locks them. */
async function claimBookings(trx: Db, checked: (Callable | Error)[]): Promise<(Callable | Error)[]> {
  const claimed: (Callable | Error)[] = [];
  for (const one of checked)
    claimed.push(one instanceof Error || !one.booking || (await one.booking.claim(trx)) ? one : NOT_DUE);
  return claimed;
}

/** Throws unless a call may be placed as far as its fields, its agent and its destination are concerned. */
export function assertPlaceable(
  user_id: string,
  input: OutboundCall,
  agent: Agent,
  holders: Map<string, string>,
  { policy, durations }: { policy: CallingPolicy; durations: Durations },
): void {
  assertCallable(input.phone_number, policy);
  assertWithin(durations, input);
  assertRecordable(agent, input);
  assertPlace(input);
  assertHeaders(policy.sipHeaders, input);
  if (!agent.is_active) throw new AppError('agent_inactive');
  const { from_number } = input;
  if (typeof from_number !== 'string' || holders.get(from_number) === user_id) return;
  const msg = 'Input should be a number that an agent of this user has';
  throw new InvalidFields({ field: 'from_number', msg, type: 'value_error', input: from_number });
}

function toSession({ user_id, agent, input, attempt, booking }: Callable, now: Date) {
  const our_number = input.from_number ?? agent.phone_number;
  return {
    id: attempt.call_id,
    room_name: booking?.room_name ?? `call-${newId()}`,
    user_id,
    agent_id: agent.id,
    agent_version: agent.version,
    ...privacyColumns(agent, now),
    status: 'CREATED' as const,
    call_direction: 'OUTBOUND' as const,
    call_status: 'RINGING' as const,
    outbound_phone_number: input.phone_number,
    callback_url: input.callback_url ?? agent.callback_url,
    ...(our_number !== null && { our_number }),
    ...callDataColumns(input),
  };
}
