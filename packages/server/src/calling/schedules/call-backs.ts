import type { Static } from 'typebox';
import type { Agents } from '../../conversations/agents/agents.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Decisions } from '../outbound/dial-decisions.ts';
import type { OutboundCall } from '../outbound/placing.ts';
import { instantsOf, isTimeZone, type Place, whereIs } from '../policies/policies.ts';
import { assertRoom, type Bookings } from './bookings.ts';
import { notBefore, type Records, requestOf, SCHEDULED_CALL, view } from './records.ts';
import type { CallBackConfirmation, CallBackProposal } from './schema.ts';
import { deleteScheduled, lockBookedIn, updateScheduled } from './store.ts';
import { localTimeOf, MAX_DAYS_AHEAD, planOfInstant } from './times.ts';

export type CallBacks = ReturnType<typeof createCallBacks>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'work'> {
  agents: Agents;
  sessions: Sessions;
  decisions: Decisions;
  bookings: Bookings;
  records: Records;
}

/** Bounds that an agent's configuration has no value for. */
const [EARLIEST, LATEST, MAX_DAYS] = ['09:00', '18:00', 14];
/** After this long a proposal counts as forgotten. */
export const VALID_MS = 15 * 60_000;

interface Bounds {
  earliest: string;
  latest: string;
  max: number;
}

/** Calls back that agents book with the person they talk to: a time is proposed, and booked once it is confirmed. */
export function createCallBacks({ db, clock, work, agents, sessions, decisions, bookings, records }: Deps) {
  /** A conversation that is going on, and the bounds of its agent. Throws `call_back_not_allowed` without any. */
  async function contextOf(id: string, caller: string | null) {
    const session = await sessions.get(id, caller);
    if (isFinal(session)) throw new AppError('session_not_active');
    const agent = await agents.ofSession(session);
    const bounds = agent && boundsOf(agent.config);
    if (!bounds) throw new AppError('call_back_not_allowed');
    return { session, agent_id: agent.id, bounds };
  }

  /** Checks a time and remembers it, in place of an earlier proposal. Throws `InvalidFields` and `dial_denied`. */
  async function propose(session_id: string, input: Static<typeof CallBackProposal>, caller: string | null) {
    const { session, agent_id, bounds } = await contextOf(session_id, caller);
    const phone_number = numberOf(session) ?? input.phone_number;
    if (!phone_number) throw invalid('phone_number', 'given in a conversation without a phone', phone_number);
    const place = input.time_zone ? { time_zone: input.time_zone } : await decisions.placeOfCall(session);
    const time_zone = zoneFor(phone_number, place);
    const due_at = dueAt(input.date_time, time_zone, bounds, clock.now());
    const { region } = place;
    const request = await requestFor(session, { ...input, agent_id, phone_number, time_zone, region });
    await assertAllowed(session.user_id, request, due_at);
    const plan = planOfInstant(due_at, false, new Date(due_at.getTime() + DAY_MS));
    await db.transaction().execute(async (trx) => {
      await sessions.lock(trx, session.id);
      await deleteScheduled(
        trx,
        (await lockBookedIn(trx, session.id, 'PROPOSED')).map(({ id }) => id),
      );
      const { user_id, id: booked_in } = session;
      await bookings.insert(trx, { user_id, request, plan, status: 'PROPOSED', booked_in });
    });
    return { date_time: input.date_time, time_zone, due_at, spoken: spokenOf(due_at, time_zone) };
  }

  async function assertAllowed(user_id: string, request: OutboundCall, due_at: Date): Promise<void> {
    const refusal = await decisions.foresee(user_id, request, due_at);
    if (!refusal) return;
    const first = notBefore(refusal);
    const hint = first && request.time_zone ? ` The first time after it is ${spokenOf(first, request.time_zone)}.` : '';
    throw new AppError(refusal.code, { detail: refusal.message + hint, ...decisionOf(refusal) });
  }

  /** The call has the data of the conversation, so that it can go on from there; the model has written the note. */
  async function requestFor(
    session: Session,
    {
      note,
      ...whom
    }: Pick<OutboundCall, 'agent_id' | 'phone_number' | keyof Place> & { note?: string | null | undefined },
  ): Promise<OutboundCall> {
    const { agent_id, phone_number, time_zone, region } = whom;
    const { variables, metadata } = await sessions.callData(session.id);
    return {
      agent_id,
      phone_number,
      time_zone,
      region,
      purpose: 'service',
      callback_url: session.callback_url,
      variables: {
        ...variables,
        ...(note && { call_back_note: sessions.redactions.reported(session.privacy, note) }),
      },
      metadata: metadata ?? {},
    };
  }

  /** Books what was proposed, in place of an earlier call back of this conversation. Throws `not_proposed`. */
  async function confirm(
    session_id: string,
    { date_time }: Static<typeof CallBackConfirmation>,
    caller: string | null,
  ) {
    const { session } = await contextOf(session_id, caller);
    return db.transaction().execute(async (trx) => {
      // Two confirmations at once book one call.
      await sessions.lock(trx, session.id);
      const booked = await lockBookedIn(trx, session.id, 'SCHEDULED');
      const [proposal] = await lockBookedIn(trx, session.id, 'PROPOSED');
      const repeated = booked.find((one) => !proposal && isAt(one, date_time));
      if (repeated) return view(repeated);
      const now = clock.now();
      if (!proposal || !isAt(proposal, date_time) || isOver(proposal, now)) throw new AppError('not_proposed');
      for (const one of booked) await records.end(trx, one, { status: 'CANCELED', reason: 'replaced', detail: null });
      await assertRoom(trx, session.user_id);
      const row = await updateScheduled(trx, proposal.id, { status: 'SCHEDULED', updated_at: now });
      await work.add(trx, [{ kind: SCHEDULED_CALL, key: row.id, due_at: row.due_at }]);
      return view(await records.announce(trx, row));
    });
  }

  const isAt = (row: Parameters<typeof requestOf>[0], date_time: string): boolean =>
    row.due_at.getTime() === instantsOf(requestOf(row).time_zone ?? 'UTC', localTimeOf(date_time) ?? 0).first;

  return { propose, confirm };
}

const invalid = (field: string, what: string, input: unknown) =>
  new InvalidFields({ field, msg: `Input should be ${what}`, type: 'value_error', input });

/** Whether a proposal is too old, or its time has come: at once, the phone would ring into the conversation itself. */
const isOver = ({ created_at, due_at }: Record<'created_at' | 'due_at', Date>, now: Date): boolean =>
  now.getTime() - created_at.getTime() > VALID_MS || due_at <= now;

const decisionOf = ({ decision }: AppError) => (decision ? { decision } : {});

/** The bounds of a configuration; null if its agent calls nobody back. */
function boundsOf({ tools }: JsonObject): Bounds | null {
  const found = isObject(tools) ? tools.call_back : null;
  if (!isObject(found) || found.enabled === false) return null;
  const { earliest, latest, max } = found;
  return {
    earliest: typeof earliest === 'string' ? earliest : EARLIEST,
    latest: typeof latest === 'string' ? latest : LATEST,
    max: typeof max === 'number' ? Math.min(max, MAX_DAYS_AHEAD) : MAX_DAYS,
  };
}

const numberOf = ({ call_direction, caller_number, outbound_phone_number }: Session): string | null =>
  call_direction === 'INBOUND' ? caller_number : outbound_phone_number;

function zoneFor(phone_number: string, place: Place): string {
  const { time_zone } = place;
  if (time_zone && !isTimeZone(time_zone)) throw invalid('time_zone', 'an IANA time zone', time_zone);
  const [only, ...others] = whereIs(phone_number, place).zones;
  if (only !== undefined && others.length === 0) return only;
  throw invalid('time_zone', 'given: ask where the person is, because the number does not tell', time_zone);
}

/** The instant of a local time within the bounds. */
function dueAt(date_time: string, time_zone: string, { earliest, latest, max }: Bounds, now: Date): Date {
  const local = localTimeOf(date_time);
  if (local === null) throw invalid('date_time', 'a date and a time of it', date_time);
  const time = date_time.slice(11);
  if (time < earliest || time > latest)
    throw invalid('date_time', `between ${earliest} and ${latest} in ${time_zone}`, date_time);
  const at = instantsOf(time_zone, local).first;
  if (at <= now.getTime()) throw invalid('date_time', `in the future: it is ${spokenOf(now, time_zone)}`, date_time);
  if (at > now.getTime() + max * DAY_MS) throw invalid('date_time', `within ${max} days`, date_time);
  return new Date(at);
}

/** A time in words, by the clocks of a zone. */
function spokenOf(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(at);
  return `${text.replaceAll('\u202f', ' ')} (${timeZone})`;
}
