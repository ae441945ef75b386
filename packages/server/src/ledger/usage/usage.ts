import type { Static } from 'typebox';
import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import { afterCommit } from '../../db/after-commit.ts';
import type { Db } from '../../db/tables.ts';
import { isId, newId, toStored } from '../../lib/ids.ts';
import { type FieldProblem, InvalidFields } from '../../lib/invalid.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import { createIngest, type Entry, MAX_SHARED, type Price, priceAndInsert } from './ingest.ts';
import { pseudonymizeEvents, pseudonymizeRollups } from './pseudonym-store.ts';
import { firstDay, lockRollups } from './rollup-store.ts';
import { USAGE_DECIMALS, type UsageBatchEvent, type UsageEventCreate } from './schema.ts';
import { insertUsageEvents, type UsageEvent } from './store.ts';

export { firstDay, insertUsageEvents, type UsageEvent };
export type Usage = ReturnType<typeof createUsage>;

/** Maximum events per transaction. */
const EVENTS_AT_ONCE = 1_000;
const MAX_PROBLEMS = 100;
/** Names that are together in an index entry of the reports, which may take 2,704 bytes in PostgreSQL. */
export const MAX_NAMES_BYTES = 2_400;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'metrics' | 'audit'> {
  /** Prices the events without a `unit_cost` from the book, and writes all of them. */
  price: Price;
}

export function createUsage({ db, clock, metrics, audit, price }: Deps) {
  const ingest = createIngest(db, price);

  /**
   * Writes an event to the ledger; resolves once it is committed. Sessions and agents may be unknown here. `corrector`
   * is set for corrections, which are audited.
   */
  async function log(
    input: Static<typeof UsageEventCreate>,
    idempotency: Idempotency | null,
    corrector: Actor | null = null,
  ) {
    const { user_id, event_type } = input;
    if (areNamesTooLong(input)) throw new InvalidFields(namesTooLong());
    const entry = { user_id, idempotency, events: toEvent(input) };
    const { answer, first } = await (corrector ? correct(entry, corrector) : ingest(entry));
    if (first) metrics.usageEvents.inc({ event_type });
    return { ...(answer as UsageEvent), event_type };
  }

  /**
   * Writes events of one user in one transaction, all or none. Throws `InvalidFields` if they are of several users,
   * or if one has a total without a unit price. An empty list uses up the key, which tells a client whether a lost
   * batch had arrived. `caller` is the user whose erasure deletes such a key: its scope contains the user id.
   */
  async function logBatch(
    inputs: Static<typeof UsageBatchEvent>[],
    idempotency: Idempotency | null,
    caller: string | null,
    corrector: Actor | null = null,
  ): Promise<UsageEvent[]> {
    const user_id = inputs[0]?.user_id ?? caller ?? '';
    if (inputs.length === 0 && !idempotency) throw new InvalidFields(noEvents());
    const problems = inputs.flatMap((input, index) => [
      ...(input.user_id === user_id ? [] : [anotherUser(index)]),
      ...problemsOf(input, index),
    ]);
    if (problems.length > 0) throw new InvalidFields(...problems.slice(0, MAX_PROBLEMS));
    const events = inputs.map(toEvent);
    const insert = async (trx: Db) => (events.length === 0 ? [] : priceAndInsert(trx, events, price));
    // Without a key, one statement is the whole transaction.
    const alone = () => (idempotency ? once(db, user_id, idempotency, insert) : insert(db).then(toFirst));
    const isShared = events.length > 0 && events.length <= MAX_SHARED;
    const entry = { user_id, idempotency, events };
    const { answer, first } = await (corrector ? correct(entry, corrector) : isShared ? ingest(entry) : alone());
    if (first) for (const { event_type } of events) metrics.usageEvents.inc({ event_type });
    return answer as UsageEvent[];
  }

  /**
   * Writes events of a worker in a transaction of the caller's. Throws `InvalidFields` for corrections, which workers
   * may not send, and for totals without a unit price.
   */
  async function addTo(trx: Db, inputs: Static<typeof UsageBatchEvent>[]): Promise<UsageEvent[]> {
    const problems = inputs.flatMap((input, index) => [
      ...(isCorrection(input) ? [negative(index)] : []),
      ...problemsOf(input, index),
    ]);
    if (problems.length > 0) throw new InvalidFields(...problems);
    const written = await priceAndInsert(trx, inputs.map(toEvent), price);
    for (const { event_type } of inputs) afterCommit(trx, () => metrics.usageEvents.inc({ event_type }));
    return written;
  }

  /** Writes corrections and their entries of the audit log in one transaction. */
  function correct({ user_id, idempotency, events }: Entry, actor: Actor) {
    return once(db, user_id, idempotency, async (trx): Promise<UsageEvent | UsageEvent[]> => {
      const written = await priceAndInsert(trx, [events].flat(), price);
      for (const { id, quantity, unit_cost, total_cost, provider, session_id } of written.filter(isCorrection)) {
        const after = { quantity, unit_cost, total_cost, provider, session_id };
        await audit.record(trx, actor, 'usage.corrected', `usage_event/${id}`, { user_id, after });
      }
      return Array.isArray(events) ? written : (written[0] as UsageEvent);
    });
  }

  /** Whether none of the events is in a session of another user. */
  async function isOfUser(user_id: string, events: { session_id: string }[]): Promise<boolean> {
    const ids = [...new Set(events.flatMap(({ session_id }) => (isId(session_id) ? session_id.toLowerCase() : [])))];
    if (ids.length === 0) return true;
    const foreign = db.selectFrom('sessions').select('id').where('id', 'in', ids).where('user_id', '<>', user_id);
    return (await foreign.limit(1).executeTakeFirst()) === undefined;
  }

  function toEvent(input: Static<typeof UsageBatchEvent>) {
    const { session_id, agent_id, user_id, provider, event_type, quantity, unit_cost, total_cost } = input;
    return {
      // Taken before the id, so that the id is never of an earlier month.
      created_at: clock.now(),
      id: newId(),
      session_id: toStored(session_id),
      user_id,
      agent_id: agent_id == null ? null : toStored(agent_id),
      provider,
      event_type,
      quantity,
      unit_cost,
      total_cost,
      model: input.model ?? null,
      direction: null,
      adjusts: null,
      used_on: null,
    };
  }

  /** Replaces a user with a pseudonym in some events and in their reports; false after the last ones. */
  async function pseudonymizeSome(trx: Db, user_id: string, pseudonym: string): Promise<boolean> {
    await lockRollups(trx);
    return (await pseudonymizeEvents(trx, user_id, pseudonym, EVENTS_AT_ONCE)) === EVENTS_AT_ONCE;
  }

  /** The same for everything that is left. */
  async function pseudonymize(trx: Db, user_id: string, pseudonym: string): Promise<void> {
    await lockRollups(trx);
    await pseudonymizeEvents(trx, user_id, pseudonym, null);
    await pseudonymizeRollups(trx, user_id, pseudonym);
  }

  return { log, logBatch, addTo, isOfUser, pseudonymizeSome, pseudonymize };
}

/** Whether any of the amounts is negative. */
export function isCorrection(
  amounts: Partial<Record<(typeof USAGE_DECIMALS)[number], string | null | undefined>>,
): boolean {
  return USAGE_DECIMALS.some((name) => /^-.*[1-9]/.test(amounts[name] ?? ''));
}

/** The problems of one event in a list. */
function problemsOf(input: Static<typeof UsageBatchEvent>, index: number): FieldProblem[] {
  return [
    ...(isTotalAlone(input) ? [noUnitCost(index)] : []),
    ...(areNamesTooLong(input) ? [namesTooLong('events', index)] : []),
  ];
}

const isTotalAlone = ({ total_cost, unit_cost }: Static<typeof UsageBatchEvent>) =>
  total_cost != null && unit_cost == null;

/** Whether the names of an event, each of which may be long, are too long to be indexed together. */
function areNamesTooLong(input: Static<typeof UsageBatchEvent>): boolean {
  const { user_id, agent_id, session_id, provider, model } = input;
  return [
    [user_id, agent_id, provider, model],
    [user_id, agent_id, session_id],
  ].some((names) => Buffer.byteLength(names.join('')) > MAX_NAMES_BYTES);
}

const toFirst = (answer: UsageEvent[]) => ({ answer, first: true });

function noEvents(): FieldProblem {
  const msg = 'List should have at least 1 item, or the request an Idempotency-Key';
  return { field: 'events', msg, type: 'too_short' };
}

function negative(index: number): FieldProblem {
  const msg = 'Input should not have negative amounts: a correction is for the roles service and admin';
  return { field: ['events', index], msg, type: 'value_error' };
}

function noUnitCost(index: number): FieldProblem {
  const msg = 'Field required with total_cost';
  return { field: ['events', index, 'unit_cost'], msg, type: 'missing' };
}

function namesTooLong(...place: (string | number)[]): FieldProblem {
  const msg = `user_id, agent_id and session_id, or provider and model, should have at most ${MAX_NAMES_BYTES} bytes together`;
  return { field: [...place, 'user_id'], msg, type: 'too_long' };
}

function anotherUser(index: number): FieldProblem {
  const msg = 'Input should be the user of the first event';
  return { field: ['events', index, 'user_id'], msg, type: 'value_error' };
}
