import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { usersOf } from '../../db/users.ts';
import { timeOf } from '../../lib/ids.ts';

/**
 * Blocks other writes to the rollups until the transaction ends; reports continue to read them. A trigger does the same
 * when sessions of agents are deleted, and raises their version.
 */
export async function lockRollups(trx: Db): Promise<void> {
  await sql`lock table usage_rollups in share row exclusive mode`.execute(trx);
}

/** The users with events or rollups. */
export const usersInLedger = (db: Db) => usersOf(db, ['usage_events', 'usage_rollups']);

/** The number of days of users with rollups: an estimate of the work. */
export async function countDays(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select distinct user_id, recorded_on from usage_rollups) as days`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * The first day (UTC) in the ledger; null if no month was detached, so that it begins with the first event ever.
 * Rollups of earlier days cannot be verified any more.
 */
export async function firstDay(db: Db): Promise<string | null> {
  const { rows } = await sql<{ is_whole: boolean; id: string | null; day: string | null }>`
    select exists (
      select from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'usage_events'::regclass and pg_get_expr(relpartbound, pg_class.oid) like '%(MINVALUE)%'
    ) as is_whole, first.id, to_char(first.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
    from (select) as one left join (select id, created_at from usage_events order by id limit 1) as first on true`.execute(
    db,
  );
  const { is_whole, id, day } = rows[0] ?? {};
  if (is_whole) return null;
  if (!id || !day) return '9999-12-31';
  // Its month is that of its id, which may be made a moment after midnight: the others of its day are detached.
  const dayOfId = timeOf(id).toISOString().slice(0, 10);
  return day < dayOfId ? dayOfId : day;
}

/** The days (UTC) from `first` on which a user logged events, by the ledger or the rollups. */
export async function daysOf(db: Db, user_id: string, first: string | null): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day from (
      select distinct (created_at at time zone 'UTC')::date as day from usage_events where user_id = ${user_id}
      union select recorded_on from usage_rollups where user_id = ${user_id}
    ) as days where day >= coalesce(${first}::date, '-infinity') order by 1`.execute(db);
  return rows.map(({ day }) => day);
}

const isOf = (day: string) => sql`
  created_at >= ${`${day}T00:00:00Z`}::timestamptz and created_at < ${`${day}T00:00:00Z`}::timestamptz + interval '24 hours'`;

// By the day of logging rather than of use: an entry may adjust an event of a detached month.
const rolledUp = (user_id: string, day: string) => sql`
  select user_id, coalesce(used_on, ${day}::date) as day, coalesce(agent_id, '') as agent_id, provider, event_type,
    coalesce(model, '') as model, coalesce(direction, '') as direction, ${day}::date as recorded_on,
    coalesce(agent_version, 0) as agent_version, sum(quantity) as quantity, sum(total_cost) as total_cost, count(*) as events,
    count(*) filter (where is_unpriced) - count(*) filter (where is_pricing) as unpriced
  from usage_events
  where user_id = ${user_id} and ${isOf(day)}
  group by 1, 2, 3, 4, 5, 6, 7, agent_version`;

// Both through an index: the primary key begins with the day of use, a second index covers entries logged on another
// day.
const isRollupOf = (user_id: string, day: string) => sql`user_id = ${user_id} and (
  (day = ${day}::date and recorded_on = ${day}::date) or (recorded_on = ${day}::date and recorded_on <> day))`;

/**
 * The number of rollups of a user's day that differ from the exact sum of their events, are missing, or have no
 * events.
 */
export async function countWrong(db: Db, user_id: string, day: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${rolledUp(user_id, day)}) as fact
    full join (select * from usage_rollups where ${isRollupOf(user_id, day)}) as kept
      using (user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version)
    where fact.quantity is distinct from kept.quantity or fact.total_cost is distinct from kept.total_cost
      or fact.events is distinct from kept.events or fact.unpriced is distinct from kept.unpriced`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Rebuilds the rollups of a user's day of logging, and adds missing sessions of that day. */
export async function rebuildDay(trx: Db, user_id: string, day: string): Promise<void> {
  await sql`delete from usage_rollups where ${isRollupOf(user_id, day)}`.execute(trx);
  await sql`
    insert into usage_rollups (user_id, day, agent_id, provider, event_type, model, direction, recorded_on,
      agent_version, quantity, total_cost, events, unpriced)
    ${rolledUp(user_id, day)}`.execute(trx);
  await sql`
    insert into usage_agent_sessions
    select distinct user_id, agent_id, session_id from usage_events
    where user_id = ${user_id} and ${isOf(day)} and agent_id is not null
    on conflict do nothing`.execute(trx);
}

/** A session in which an agent was seen. */
export interface Seen {
  agent_id: string;
  session_id: string;
}

/**
 * The number of a user's agents with missing sessions, with surplus ones (if the ledger is complete), or with a wrong
 * count.
 */
export async function countWrongAgents(db: Db, user_id: string, isWhole: boolean): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with fact as (
      select distinct agent_id, session_id from usage_events where user_id = ${user_id} and agent_id is not null
    ), kept as (
      select agent_id, session_id from usage_agent_sessions where user_id = ${user_id}
    )
    select (select count(*) from (table fact except table kept) as missing)
      + (select count(*) from (table kept except table fact) as extra where ${isWhole})
      + (select count(*) from (select agent_id, count(*) as sessions from kept group by 1) as counted
         full join (select agent_id, sessions from usage_agent_session_counts where user_id = ${user_id}) as known
           using (agent_id)
         where counted.sessions is distinct from known.sessions) as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Deletes those of the next `limit` sessions after `after` that have no events. Returns the last one checked; null at
 * the end.
 */
export async function deleteUnseen(trx: Db, user_id: string, after: Seen, limit: number): Promise<Seen | null> {
  const { rows } = await sql<Seen>`
    with next as materialized (
      select agent_id, session_id from usage_agent_sessions
      where user_id = ${user_id} and (agent_id, session_id) > (${after.agent_id}, ${after.session_id})
      order by agent_id, session_id limit ${sql.lit(limit)}
    ), deleted as (
      delete from usage_agent_sessions as seen using next
      where seen.user_id = ${user_id} and seen.agent_id = next.agent_id and seen.session_id = next.session_id
        and not exists (
          select from usage_events as event
          where event.session_id = seen.session_id and event.user_id = seen.user_id and event.agent_id = seen.agent_id
        )
    )
    select agent_id, session_id from next order by agent_id desc, session_id desc limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** Recounts the sessions of a user's agents. */
export async function recountSessions(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('usage_agent_session_counts').where('user_id', '=', user_id).execute();
  await sql`
    insert into usage_agent_session_counts
    select user_id, agent_id, count(*) from usage_agent_sessions where user_id = ${user_id} group by 1, 2`.execute(trx);
}
