import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { recountSessions } from './rollup-store.ts';

/**
 * Replaces the user with the pseudonym in up to `limit` events, or all, and moves their share of the rollups along,
 * so that ledger and reports always agree. Returns the number of events. The rollups must be locked, so that nobody
 * writes events meanwhile.
 */
export async function pseudonymizeEvents(
  trx: Db,
  user_id: string,
  pseudonym: string,
  limit: number | null,
): Promise<number> {
  const { rows } = await sql<{ agent_id: string | null; session_id: string; events: number }>`
    with moved as (
      update usage_events set user_id = ${pseudonym}
      where id in (select id from usage_events where user_id = ${user_id} ${limit === null ? sql`` : sql`limit ${sql.lit(limit)}`})
        -- Repeated, so that the events of other users are not read.
        and user_id = ${user_id}
      returning session_id, agent_id, provider, event_type, model, direction, quantity, total_cost, is_unpriced, is_pricing,
        used_on, coalesce(agent_version, 0) as agent_version, (created_at at time zone 'UTC')::date as recorded_on
    ), by_day as (
      select coalesce(used_on, recorded_on) as day, coalesce(agent_id, '') as agent_id, provider, event_type,
        coalesce(model, '') as model, coalesce(direction, '') as direction, recorded_on, agent_version,
        sum(quantity) as quantity, sum(total_cost) as total_cost, count(*) as events,
        count(*) filter (where is_unpriced) - count(*) filter (where is_pricing) as unpriced
      from moved group by 1, 2, 3, 4, 5, 6, 7, 8
    ), taken as (
      update usage_rollups as rollup
      set quantity = rollup.quantity - by_day.quantity, total_cost = rollup.total_cost - by_day.total_cost,
        events = rollup.events - by_day.events, unpriced = rollup.unpriced - by_day.unpriced
      from by_day where rollup.user_id = ${user_id} and rollup.day = by_day.day and rollup.agent_id = by_day.agent_id
        and rollup.provider = by_day.provider and rollup.event_type = by_day.event_type
        and rollup.model = by_day.model and rollup.direction = by_day.direction
        and rollup.recorded_on = by_day.recorded_on and rollup.agent_version = by_day.agent_version
    ), added as (${addRollups(pseudonym, sql`by_day`)}
    ), seen as (
      insert into usage_agent_sessions (user_id, agent_id, session_id)
      select distinct ${pseudonym}, agent_id, session_id from moved where agent_id is not null
      on conflict do nothing returning agent_id
    ), counted as (
      insert into usage_agent_session_counts as known (user_id, agent_id, sessions)
      select ${pseudonym}, agent_id, count(*) from seen group by agent_id
      on conflict (user_id, agent_id) do update set sessions = known.sessions + excluded.sessions
    )
    select agent_id, session_id, count(*) as events from moved group by 1, 2`.execute(trx);
  await sql`delete from usage_rollups where user_id = ${user_id} and events = 0`.execute(trx);
  await forgetSessions(
    trx,
    user_id,
    rows.flatMap(({ agent_id, session_id }) => (agent_id === null ? [] : [{ agent_id, session_id }])),
  );
  return rows.reduce((sum, { events }) => sum + events, 0);
}

/** The same for the rollups that remain once there are no events: those of detached months. */
export async function pseudonymizeRollups(trx: Db, user_id: string, pseudonym: string): Promise<void> {
  await sql`with left_over as (delete from usage_rollups where user_id = ${user_id} returning *)
    ${addRollups(pseudonym, sql`left_over`)}`.execute(trx);
  await sql`
    with left_over as (delete from usage_agent_sessions where user_id = ${user_id} returning *)
    insert into usage_agent_sessions select ${pseudonym}, agent_id, session_id from left_over on conflict do nothing`.execute(
    trx,
  );
  for (const user of [user_id, pseudonym]) await recountSessions(trx, user);
}

const addRollups = (pseudonym: string, rows: ReturnType<typeof sql>) => sql`
  insert into usage_rollups as rollup (user_id, day, agent_id, provider, event_type, model, direction, recorded_on,
    agent_version, quantity, total_cost, events, unpriced)
  select ${pseudonym}, day, agent_id, provider, event_type, model, direction, recorded_on,
    agent_version, quantity, total_cost, events, unpriced from ${rows}
  on conflict (user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version) do update set
    quantity = rollup.quantity + excluded.quantity,
    total_cost = rollup.total_cost + excluded.total_cost,
    events = rollup.events + excluded.events,
    unpriced = rollup.unpriced + excluded.unpriced`;

/** Deletes the record that agents of a user had these sessions, unless an event still shows it. */
async function forgetSessions(
  trx: Db,
  user_id: string,
  seen: { agent_id: string; session_id: string }[],
): Promise<void> {
  await sql`
    with gone as (
      delete from usage_agent_sessions as kept
      using unnest(${seen.map(({ agent_id }) => agent_id)}::text[], ${seen.map(({ session_id }) => session_id)}::text[])
        as seen (agent_id, session_id)
      where kept.user_id = ${user_id} and kept.agent_id = seen.agent_id and kept.session_id = seen.session_id
        and not exists (
          select from usage_events as event
          where event.session_id = kept.session_id and event.user_id = kept.user_id and event.agent_id = kept.agent_id
        )
      returning kept.agent_id
    )
    update usage_agent_session_counts as known set sessions = known.sessions - fewer.sessions
    from (select agent_id, count(*) as sessions from gone group by 1) as fewer
    where known.user_id = ${user_id} and known.agent_id = fewer.agent_id`.execute(trx);
  await sql`delete from usage_agent_session_counts where user_id = ${user_id} and sessions = 0`.execute(trx);
}
