import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { RecipientRow } from './recipients-store.ts';
import type { DayCount, EndedCall, Outcome } from './state-schema.ts';

export type AttemptRow = Selectable<Tables['campaign_attempts']>;

export interface NewAttempt {
  recipient_id: string;
  attempt: number;
  call_id: string;
}

/** Adds attempts in the transaction that places their calls, with the decisions that were made there. */
export async function addAttempts(trx: Db, campaign_id: string, now: Date, attempts: NewAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await sql`
    -- prepared: add_campaign_attempts
    insert into campaign_attempts (recipient_id, attempt, campaign_id, call_id, decision_id, started_at)
    select recipient_id, attempt, ${campaign_id}::uuid, call_id, (
      select id from dial_decisions as decision where decision.call_id = added.call_id and kind = 'call' order by id limit 1
    ), ${now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(attempts)}::text::json) as added (recipient_id uuid, attempt integer, call_id uuid)`.execute(
    trx,
  );
}

/** An attempt that has not been settled, with its recipient and its call. */
export interface OpenAttempt extends EndedCall {
  recipient_id: string;
  attempt: number;
  call_id: string;
  placed_at: Date;
  recipient: Pick<RecipientRow, 'state' | 'attempts' | 'external_id' | 'phone_number'>;
  agent_joined_at: Date | null;
  disposition: string | null;
  /** When the call was changed last, as by its end. */
  updated_at: Date | null;
  /** Null if the call is not there any more. */
  status: 'CREATED' | 'ACTIVE' | 'COMPLETED' | 'FAILED' | null;
}

/** At most as many as the campaign has calls at the same time. */
export async function openAttempts(trx: Db, campaign_id: string): Promise<OpenAttempt[]> {
  const { rows } = await sql<OpenAttempt>`
    -- prepared: open_campaign_attempts
    select attempt.recipient_id, attempt.attempt, attempt.call_id, attempt.started_at as placed_at, status, session.started_at,
      session.ended_at, session.updated_at, session.agent_joined_at, end_reason, answered_by, disposition, json_build_object('state', recipient.state, 'attempts', recipient.attempts,
        'external_id', recipient.external_id, 'phone_number', recipient.phone_number) as recipient
    from campaign_attempts as attempt
    join campaign_recipients as recipient on recipient.id = attempt.recipient_id
    left join sessions as session on session.id = attempt.call_id
    where attempt.campaign_id = ${campaign_id}::uuid and attempt.outcome is null`.execute(trx);
  return rows;
}

export interface Settled {
  recipient_id: string;
  attempt: number;
  outcome: Outcome;
  ended_at: Date;
  /** When its cost is read. */
  cost_due_at: Date;
  /** Whether a person has answered, and no agent came in time; null if no person has answered. */
  is_abandoned: boolean | null;
}

/** Settles attempts, and counts those that people answered, by day. Returns the counts of these days. */
export async function settleAttempts(trx: Db, campaign_id: string, settled: Settled[]): Promise<DayCount[]> {
  if (settled.length === 0) return [];
  const { rows } = await sql<DayCount>`
    -- prepared: settle_campaign_attempts
    with next as (
      select * from json_to_recordset(${JSON.stringify(settled)}::text::json) as next (recipient_id uuid, attempt integer,
        outcome text, ended_at timestamptz, cost_due_at timestamptz, is_abandoned boolean)
    ), counted as (
      insert into campaign_days as counts (campaign_id, day, answered, abandoned)
      select ${campaign_id}::uuid, (ended_at at time zone 'UTC')::date, count(*), count(*) filter (where is_abandoned)
      from next where is_abandoned is not null group by 2
      on conflict (campaign_id, day) do update
        set answered = counts.answered + excluded.answered, abandoned = counts.abandoned + excluded.abandoned
      returning to_char(day, 'YYYY-MM-DD') as day, answered, abandoned
    ), written as (
      update campaign_attempts as attempt set outcome = next.outcome, ended_at = next.ended_at, cost_due_at = next.cost_due_at
      from next where attempt.recipient_id = next.recipient_id and attempt.attempt = next.attempt
    )
    select * from counted`.execute(trx);
  return rows;
}

/** Counts the calls that ended last, since `since`, and those with one of these outcomes. */
export async function recentOutcomes(
  trx: Db,
  campaign_id: string,
  { since, failures, limit }: { since: Date; failures: readonly Outcome[]; limit: number },
): Promise<{ calls: number; failures: number }> {
  const { rows } = await sql<{ calls: number; failures: number }>`
    -- prepared: recent_campaign_outcomes
    select count(*)::integer as calls, (count(*) filter (where outcome = any(${[...failures]}::text[])))::integer as failures
    from (
      select outcome from campaign_attempts
      where campaign_id = ${campaign_id}::uuid and outcome is not null and ended_at > ${since.toISOString()}::timestamptz
      order by ended_at desc limit ${limit}::integer
    ) as recent`.execute(trx);
  return rows[0] as { calls: number; failures: number };
}

/**
 * Adds what up to `limit` calls have cost to what their campaign has spent: when they have ended, and again after each
 * of these pauses, in seconds, for usage that is reported after the end. Reads the ledger.
 */
export async function bookCosts(
  trx: Db,
  campaign_id: string,
  { now, again_s, limit }: { now: Date; again_s: readonly number[]; limit: number },
): Promise<void> {
  await sql`
    -- prepared: book_campaign_costs
    with due as (
      select recipient_id, attempt, call_id, started_at, cost as before from campaign_attempts
      where campaign_id = ${campaign_id}::uuid and cost_due_at <= ${now.toISOString()}::timestamptz
      order by cost_due_at limit ${limit}::integer
    ), found as (
      select due.*, coalesce(costs.cost, 0) as cost from due cross join lateral (
        select sum(total_cost) as cost from usage_events
        where session_id = due.call_id::text and usage_events.id >= id_from(due.started_at - interval '1 day')
      ) as costs
    ), written as (
      update campaign_attempts as attempt set cost = found.cost, cost_reads = cost_reads + 1,
        cost_due_at = ${now.toISOString()}::timestamptz + (${[...again_s]}::integer[])[cost_reads + 1] * interval '1 second'
      from found where attempt.recipient_id = found.recipient_id and attempt.attempt = found.attempt
    )
    update campaigns set spent = spent + more.cost, tx = txid_current()
    from (select sum(cost - before) as cost from found having sum(cost - before) <> 0) as more
    where campaigns.id = ${campaign_id}::uuid`.execute(trx);
}

/** When the next costs are read; null if all are known. */
export async function nextCosts(trx: Db, campaign_id: string): Promise<Date | null> {
  const { rows } = await sql<{ cost_due_at: Date }>`
    -- prepared: next_campaign_costs
    select cost_due_at from campaign_attempts where campaign_id = ${campaign_id}::uuid and cost_due_at is not null
    order by cost_due_at limit 1`.execute(trx);
  return rows[0]?.cost_due_at ?? null;
}

/** Attempts for one recipient at most. */
const MAX_ATTEMPTS = 10;

/** The attempts for these recipients, in order. */
export async function attemptsOf(db: Db, recipient_ids: string[]): Promise<AttemptRow[]> {
  if (recipient_ids.length === 0) return [];
  // With a limit for each of them, it is an index probe each, however few attempts there are.
  const { rows } = await sql<AttemptRow>`
    select attempt.* from unnest(${recipient_ids}::uuid[]) as wanted (id) cross join lateral (
      select * from campaign_attempts where recipient_id = wanted.id order by attempt limit ${MAX_ATTEMPTS}::integer
    ) as attempt order by attempt.recipient_id, attempt.attempt`.execute(db);
  return rows;
}
