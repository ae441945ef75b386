import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type DialledNumber, dialFacts } from '../../db/dial-facts.ts';
import { meanBy, reservedBy, spentBy } from '../../db/reserves.ts';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';
import type { Consented, Suppressed } from '../policies/policies.ts';

export type Allowance = Omit<Selectable<Tables['call_allowances']>, 'user_id'>;

/**
 * The allowances of different users, locked until the transaction ends; `fresh` for users without one. Locked in the
 * order of the ids, to avoid deadlocks.
 */
export async function lockAllowances(trx: Db, user_ids: string[], fresh: Allowance): Promise<Map<string, Allowance>> {
  const { tokens, refilled_at, day, calls } = fresh;
  // A no-op update returns and locks the row.
  const { rows } = await sql<Selectable<Tables['call_allowances']>>`
    -- prepared: lock_allowances
    insert into call_allowances (user_id, tokens, refilled_at, day, calls)
    select user_id, ${tokens}::double precision, ${refilled_at.toISOString()}::timestamptz, ${day}::text, ${calls}::integer
    from unnest(${user_ids}::text[]) as asked (user_id) order by user_id collate "C"
    on conflict (user_id) do update set user_id = excluded.user_id
    returning user_id, tokens, refilled_at, day, calls`.execute(trx);
  return new Map(rows.map(({ user_id, ...allowance }) => [user_id, allowance]));
}

export async function deleteAllowance(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('call_allowances').where('user_id', '=', user_id).execute();
}

/** A call that is about to be dialled, and the hash of its number. */
export interface BeforeDial {
  id: string;
  number_hash: string;
}

export interface StateBeforeDial extends Pick<Selectable<Tables['sessions']>, 'id' | 'call_status'> {
  is_suppressed: boolean;
}

/**
 * The states of calls that are about to be dialled, and whether their numbers are suppressed for any calls, by their
 * ids: two probes of indexes for each. Only reads the table of another feature.
 */
export async function readBeforeDial(db: Db, calls: BeforeDial[]) {
  const { rows } = await sql<StateBeforeDial>`
    -- prepared: read_before_dial
    select sessions.id, call_status,
      exists (
        select from suppressions where suppressions.number_hash = asked.number_hash and deleted_at is null
      ) as is_suppressed
    from unnest(${calls.map(({ id }) => id)}::uuid[], ${calls.map(({ number_hash }) => number_hash)}::text[])
      as asked (id, number_hash)
    join sessions on sessions.id = asked.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export type DecisionRow = Selectable<Tables['dial_decisions']>;

/** Part of a statement that also adds decisions. */
const decidedIn = (decisions: DecisionRow[]) => sql`
  with decided as (
    insert into dial_decisions (id, user_id, call_id, kind, agent_id, phone_number, purpose, outcome, not_before, reasons,
      inputs, inputs_hash, policy, policy_version, evaluated_at)
    select id, user_id, call_id, kind, agent_id, phone_number, purpose, outcome, not_before, reasons, inputs, inputs_hash,
      policy, policy_version, evaluated_at
    from json_populate_recordset(null::dial_decisions, ${JSON.stringify(decisions)}::text::json)
  )`;

/** Writes allowances, whose rows are locked, and decisions. */
export async function saveAllowances(
  trx: Db,
  allowances: Map<string, Allowance>,
  decisions: DecisionRow[],
): Promise<void> {
  const all = [...allowances.values()];
  await sql`
    -- prepared: save_allowances${sql.raw(decisions.length > 0 ? '_and_decisions' : '')}
    ${decisions.length > 0 ? decidedIn(decisions) : sql``}
    update call_allowances as allowance
    set tokens = next.tokens, refilled_at = next.refilled_at, day = next.day, calls = next.calls
    from unnest(
      ${[...allowances.keys()]}::text[], ${all.map(({ tokens }) => tokens)}::double precision[],
      ${all.map(({ refilled_at }) => refilled_at.toISOString())}::timestamptz[],
      ${all.map(({ day }) => day)}::text[], ${all.map(({ calls }) => calls)}::integer[]
    ) as next (user_id, tokens, refilled_at, day, calls)
    where allowance.user_id = next.user_id`.execute(trx);
}

/** Units of amounts as integers, which add up exactly: 18 digits after the point. */
const UNITS = 1_000_000_000_000_000_000n;

/** How many phones of a user may be connected, its budget, and the facts that decisions need. */
export interface Spending {
  phones: number;
  /** Null without a budget that refuses calls. */
  budget: BudgetLeft | null;
  policies: PolicyFact[];
  numbers: NumberFacts[];
}

/** A policy of the user. `rules`, JSON, only if it may apply. */
interface PolicyFact {
  name: string;
  version: number;
  is_default: boolean;
  rules: string | null;
}

/** Facts about a number, by its place in the list that was asked for. */
export interface NumberFacts {
  place: number;
  suppressions: Suppressed[] | null;
  attempts: { at: string; purpose: string }[] | null;
  consents: Consented[] | null;
}

/** The rest of a budget, and the estimated cost of a further call, in units. */
export interface BudgetLeft {
  /** The limit, less what was spent and what is reserved for open calls. */
  left: bigint;
  /** Null: `mean` is the estimate for a call. */
  per_minute: bigint | null;
  expected_minutes: number | null;
  mean: bigint;
}

interface Wanted {
  now: Date;
  max_duration_s: number;
  /** Numbers whose facts are read. */
  numbers: DialledNumber[];
}

const inUnits = (amount: RawBuilder<unknown>) => sql<string>`ceil(${amount} * ${String(UNITS)}::numeric)::text`;

/**
 * For each user, the number of dialled phones that may be connected (outbound calls that have not ended, and
 * transfers) and of browsers with an agent. Only reads the tables of other features.
 *
 * Counts the phones of all users in one pass: with few open calls in its statistics PostgreSQL may read all open
 * sessions for it, which is affordable once, and not once per user. Users come as JSON, because a plan for an array
 * looks cheaper than the one that is kept, the shorter the array: PostgreSQL would plan anew for each call.
 */
const phonesOf = (user_ids: string[], now: Date) => sql`
  select wanted.user_id, coalesce(open.phones, 0) + coalesce(transferred.phones, 0) as phones
  from json_array_elements_text(${JSON.stringify(user_ids)}::text::json) as wanted (user_id)
  left join (
    select user_id, count(*)::int as phones from sessions
    where user_id = any(${user_ids}::text[]) and status in ('CREATED', 'ACTIVE')
      and (call_direction = 'OUTBOUND' or dispatched_at is not null)
    group by user_id
  ) as open using (user_id)
  left join (
    select user_id, sum(phones)::int as phones from transfers
    where user_id = any(${user_ids}::text[]) and phones > 0 and counted_until > ${now.toISOString()}::timestamptz
    group by user_id
  ) as transferred using (user_id)`;

/** The phones of a user, and its allowance; null for one who has dialled nobody yet. */
export async function readUse(db: Db, user_id: string, now: Date) {
  const { rows } = await sql<{ phones: number } & (Allowance | Record<keyof Allowance, null>)>`
    -- prepared: count_phones_and_allowance
    select phones, tokens, refilled_at, day, calls
    from (${phonesOf([user_id], now)}) as asked left join call_allowances using (user_id)`.execute(db);
  const [row] = rows;
  return { phones: row?.phones ?? 0, allowance: row && row.day !== null ? row : null };
}

/** For each user, its phones, and what is left of the month's (UTC) budget, if it refuses calls; and facts. */
export async function countPhones(
  db: Db,
  user_ids: string[],
  { now, max_duration_s, numbers }: Wanted,
): Promise<Map<string, Spending>> {
  const withFacts = numbers.length > 0;
  // Budgets as a value, for which each user's is looked up: "exists" may read all budgets.
  const { rows } = await sql<Row>`
    -- prepared: count_phones${sql.raw(withFacts ? '_and_facts' : '')}
    select asked.*, (select true from budgets as budget where budget.user_id = asked.user_id and ${REFUSES}) as has_budget
      ${withFacts ? sql`, facts.*` : sql``}
    from (${phonesOf(user_ids, now)}) as asked
    ${withFacts ? sql`left join lateral (${dialFacts(numbers, now)}) as facts on true` : sql``}`.execute(db);
  const limited = rows.flatMap(({ user_id, has_budget }) => (has_budget ? [user_id] : []));
  const budgets = await readBudgets(db, limited, { now, max_duration_s });
  return new Map(
    rows.map(({ user_id, phones, policies, numbers }) => [
      user_id,
      { phones, budget: budgets.get(user_id) ?? null, policies: policies ?? [], numbers: numbers ?? [] },
    ]),
  );
}

interface Row {
  user_id: string;
  phones: number;
  has_budget: true | null;
  policies?: PolicyFact[] | null;
  numbers?: NumberFacts[] | null;
}

const REFUSES = sql`refuse_calls and monthly_limit is not null`;

/** Reads what is left of budgets that refuse calls. Apart from the phones: planning it takes milliseconds. */
async function readBudgets(db: Db, user_ids: string[], { now, max_duration_s }: Omit<Wanted, 'numbers'>) {
  if (user_ids.length === 0) return new Map<string, BudgetLeft>();
  const { rows } = await sql<BudgetRow & { user_id: string }>`
    -- prepared: read_budgets
    select budget.user_id, ${inUnits(sql`-(monthly_limit - spent - reserved)`)} as overdrawn,
      ${inUnits(sql`cost_per_minute`)} as per_minute, expected_minutes, ${inUnits(sql`mean`)} as mean
    from budgets as budget
    cross join lateral (${spentBy(now)}) as costs
    cross join lateral (${meanBy(now)}) as calls
    cross join lateral (${reservedBy(max_duration_s)}) as open_calls
    where budget.user_id = any(${user_ids}::text[]) and ${REFUSES}`.execute(db);
  return new Map(rows.map((row) => [row.user_id, budgetOf(row)]));
}

interface BudgetRow {
  /** Rounded up, like the estimates. */
  overdrawn: string;
  per_minute: string | null;
  expected_minutes: number | null;
  mean: string | null;
}

function budgetOf({ overdrawn, per_minute, expected_minutes, mean }: BudgetRow): BudgetLeft {
  return {
    left: -BigInt(overdrawn),
    per_minute: per_minute === null ? null : BigInt(per_minute),
    expected_minutes,
    mean: BigInt(mean ?? 0),
  };
}

/** Decisions about calls that are not placed. */
export async function addDecisions(trx: Db, decisions: DecisionRow[]): Promise<void> {
  await sql`${decidedIn(decisions)} select 1`.execute(trx);
}

export function findDecision(db: Db, id: string): Promise<DecisionRow | undefined> {
  return db.selectFrom('dial_decisions').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface DecisionFilter {
  phone_number?: string | undefined;
  call_id?: string | undefined;
}

/** Newest first; up to `limit` plus one. */
export function listDecisions(db: Db, user_id: string, filter: DecisionFilter, { limit, after }: PageRequest) {
  let query = db.selectFrom('dial_decisions').selectAll().where('user_id', '=', user_id);
  if (filter.phone_number !== undefined) query = query.where('phone_number', '=', filter.phone_number);
  if (filter.call_id !== undefined) query = query.where('call_id', '=', filter.call_id);
  if (after !== null) query = query.where('id', '<', after);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Deletes up to `limit` decisions of the user; returns their number. */
export async function deleteSomeDecisions(db: Db, user_id: string, limit: number): Promise<number> {
  const some = db.selectFrom('dial_decisions').select('id').where('user_id', '=', user_id).orderBy('id').limit(limit);
  return Number((await db.deleteFrom('dial_decisions').where('id', 'in', some).executeTakeFirst()).numDeletedRows);
}

/** Deletes a batch of the decisions, but none under a legal hold. */
export function deleteOldDecisions(db: Db, batch: Batch): Promise<Deleted> {
  const of = { user: 'user_id', agent: 'agent_id' };
  return deleteOld(db, { table: 'dial_decisions', id: 'id', of }, batch);
}
