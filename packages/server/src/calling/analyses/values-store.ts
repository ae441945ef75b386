import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { usersOf } from '../../db/users.ts';
import type { Days } from '../../http/date-range.ts';

/** A value by which calls are found, sorted and counted. */
export interface Found {
  field: string;
  value: string;
  number: number;
  /** The value under which statistics count it, '' for numbers; null for texts, which they do not count. */
  counted_as: string | null;
}

/** The call of values, and how statistics group them. */
export interface Counted {
  session_id: string;
  user_id: string;
  extractor: string;
  /** YYYY-MM-DD (UTC) on which the call began. */
  day: string;
  agent_id: string;
  agent_version: number;
}

const KEY = sql`user_id, field, day, agent_id, agent_version, extractor, value`;

/** Replaces the values of an extractor for a call, also in the statistics. Of two versions the later one counts. */
export async function replaceValues(trx: Db, of: Counted, found: Found[]): Promise<void> {
  const { session_id, user_id, extractor } = of;
  // Versions are analyses of their own: without a lock, two that end at once would not see each other's values.
  const lock = `values of ${extractor} for ${session_id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
  const before = await trx
    .deleteFrom('analysis_values')
    .where('session_id', '=', session_id)
    .where('extractor', '=', extractor)
    .returning(['field', 'value', 'number', 'counted_as'])
    .execute();
  if (found.length > 0)
    await trx
      .insertInto('analysis_values')
      .values(found.map((one) => ({ session_id, extractor, user_id, ...one })))
      .execute();
  await count(trx, of, [
    ...before.map((one) => ({ ...one, calls: -1 })),
    ...found.map((one) => ({ ...one, calls: 1 })),
  ]);
}

/** Adds to the statistics; keys are sorted, to avoid deadlocks. */
async function count(trx: Db, of: Counted, found: (Found & { calls: number })[]): Promise<void> {
  const rows = found.flatMap(({ field, number, counted_as, calls }) =>
    counted_as === null ? [] : { field, value: counted_as, calls, total: calls * number },
  );
  if (rows.length === 0) return;
  const { user_id, day, agent_id, agent_version, extractor } = of;
  await sql`
    insert into analysis_rollups as rollup (${KEY}, calls, total)
    select ${user_id}, field, ${day}::date, ${agent_id}, ${agent_version}::integer, ${extractor}, value, sum(calls), sum(total)
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as row (field text, value text, calls integer, total numeric)
    group by field, value having sum(calls) <> 0 or sum(total) <> 0 order by field, value
    on conflict (${KEY}) do update set calls = rollup.calls + excluded.calls, total = rollup.total + excluded.total`.execute(
    trx,
  );
}

/** Values in the order of the statistics' keys, as they are counted. The day is that on which the call began. */
const counted = (found: RawBuilder<unknown>) => sql`
  select found.user_id, field, (created_at at time zone 'UTC')::date as day, coalesce(agent_id::text, '') as agent_id,
    coalesce(agent_version, 0) as agent_version, extractor, counted_as as value, count(*) as calls,
    sum(number::text::numeric) as total
  from ${found} as found join sessions on sessions.id = session_id
  where counted_as is not null
  group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`;

/**
 * Statistics go on counting calls whose values are deleted at their age, and remember that part; those that an erasure
 * has deleted do not begin anew. Keys are sorted, to avoid deadlocks.
 */
export async function deleteValuesOf(trx: Db, session_ids: string[]): Promise<void> {
  await sql`
    with gone as (delete from analysis_values where session_id = any(${session_ids}::uuid[]) returning *)
    insert into analysis_rollups as rollup (${KEY}, calls, total, gone_calls, gone_total)
    select ${KEY}, 0, 0, counted.calls, counted.total
    from (${counted(sql`gone`)}) as counted join analysis_rollups as kept using (${KEY}) order by ${KEY}
    on conflict (${KEY}) do update set gone_calls = rollup.gone_calls + excluded.gone_calls,
      gone_total = rollup.gone_total + excluded.gone_total`.execute(trx);
}

/** Blocks other writes to the statistics until the transaction ends; reports go on reading them. */
export async function lockStats(trx: Db): Promise<void> {
  await sql`lock table analysis_rollups in share row exclusive mode`.execute(trx);
}

/** The users with values or statistics. */
export const analysedUsers = (db: Db) => usersOf(db, ['analysis_values', 'analysis_rollups']);

const valuesOf = (user_id: string) => counted(sql`(select * from analysis_values where user_id = ${user_id})`);

/** The number of a user's statistics that are wrong, missing, or left over. */
export async function countWrongStats(db: Db, user_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${valuesOf(user_id)}) as fact
    full join (select * from analysis_rollups where user_id = ${user_id}) as kept using (${KEY})
    where coalesce(fact.calls, 0) + coalesce(gone_calls, 0) <> coalesce(kept.calls, 0)
      or coalesce(fact.total, 0) + coalesce(gone_total, 0) <> coalesce(kept.total, 0)`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Rebuilds the statistics of a user from the values that there are, and the part whose values are deleted. */
export async function rebuildStats(trx: Db, user_id: string): Promise<void> {
  await sql`update analysis_rollups set calls = gone_calls, total = gone_total where user_id = ${user_id}`.execute(trx);
  await sql`
    insert into analysis_rollups as rollup (${KEY}, calls, total)
    select ${KEY}, calls, total from (${valuesOf(user_id)}) as counted
    on conflict (${KEY}) do update set calls = rollup.calls + excluded.calls, total = rollup.total + excluded.total`.execute(
    trx,
  );
  await sql`delete from analysis_rollups where user_id = ${user_id} and calls = 0 and total = 0 and gone_calls = 0`.execute(
    trx,
  );
}

export async function deleteStatsOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('analysis_rollups').where('user_id', '=', user_id).execute();
}

const GROUPS = {
  value: sql`value`,
  day: sql`to_char(day, 'YYYY-MM-DD')`,
  agent: sql`agent_id`,
  agent_version: sql`agent_version`,
  extractor: sql`extractor`,
};
export type Group = keyof typeof GROUPS;

export interface StatsFilter {
  field: string;
  user_id: string | null;
  extractor: string | null;
  agent_id: string | null;
  agent_version: number | null;
  days: Days;
}

export interface StatsRow extends Partial<Record<Exclude<Group, 'agent_version'>, string>> {
  agent_version?: number;
  calls: number;
  total: number;
}

/** Calls by the values of a field, in the order of the groups; up to `limit`. */
export async function readStats(db: Db, filter: StatsFilter, groups: Group[], limit: number): Promise<StatsRow[]> {
  const { days, ...equals } = filter;
  const all: RawBuilder<unknown>[] = Object.entries(equals).flatMap(([name, value]) =>
    value === null ? [] : sql`${sql.ref(name)} = ${value}`,
  );
  if (days.from !== null) all.push(sql`day >= ${days.from}::date`);
  if (days.to !== null) all.push(sql`day <= ${days.to}::date`);
  const names = groups.map((name) => sql`${GROUPS[name]} as ${sql.ref(name)}`);
  const places = groups.map((_, index) => sql.lit(index + 1));
  const by = places.length > 0 ? sql`group by ${sql.join(places)}` : sql``;
  const order = places.length > 0 ? sql`order by ${sql.join(places)}` : sql``;
  const { rows } = await sql<StatsRow>`
    select ${names.length > 0 ? sql`${sql.join(names)},` : sql``} sum(calls)::bigint as calls, sum(total)::float8 as total
    from analysis_rollups where ${sql.join(all, sql` and `)}
    ${by} having sum(calls) > 0 ${order} limit ${limit}`.execute(db);
  return rows;
}
