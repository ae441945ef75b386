import { type RawBuilder, sql } from 'kysely';
import type { CallDirection, Db, Tables } from '../../db/tables.ts';
import { usersOf } from '../../db/users.ts';
import type { Days } from '../../http/date-range.ts';

/** Columns by dimension. */
const DIMENSIONS = {
  day: sql<string>`to_char(day, 'YYYY-MM-DD')`,
  user: sql<string>`user_id`,
  agent: sql<string>`agent_id`,
  agent_version: sql<number>`agent_version`,
  direction: sql<string>`direction`,
  end_reason: sql<string>`end_reason`,
  answered_by: sql<string>`answered_by`,
};
export type Dimension = keyof typeof DIMENSIONS;

/** The calls that a report covers; null: any. */
export interface CallFilter {
  user_id: string | null;
  days: Days;
  agent_id: string | null;
  agent_version: number | null;
  direction: CallDirection | 'WEB' | null;
  end_reason: string | null;
  answered_by: Tables['sessions']['answered_by'];
}

const KEY = sql`user_id, day, agent_id, direction, end_reason, answered_by, metric, bucket, agent_version`;

/** The rollup rows of ended calls, sorted by key. Only reads sessions. */
const counted = (which: RawBuilder<unknown>) => sql`
  select user_id, (created_at at time zone 'UTC')::date as day, coalesce(agent_id::text, '') as agent_id,
    coalesce(call_direction, 'WEB') as direction, coalesce(end_reason, '') as end_reason,
    coalesce(answered_by, '') as answered_by, metric, histogram_bucket(ms) as bucket,
    coalesce(agent_version, 0) as agent_version, count(*) as calls, sum(ms)::bigint as total_ms
  from sessions cross join lateral (values
    ('ring', greatest(0, round(extract(epoch from coalesce(started_at, ended_at) - created_at) * 1000))::bigint),
    ('talk', case when started_at is not null then round(duration * 1000)::bigint end)
  ) as measured (metric, ms)
  where ${which} and call_status is not null and ended_at is not null and erased_at is null and ms is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by 1, 2, 3, 4, 5, 6, 7, 8, 9`;

/**
 * Adds the ended calls among these sessions to the rollups, or subtracts them, as they are in the transaction. Keys
 * are sorted, to avoid deadlocks.
 */
export async function countCalls(trx: Db, ids: string[], times: 1 | -1): Promise<void> {
  await sql`
    -- prepared: count_calls_${sql.raw(times === 1 ? 'in' : 'out')}
    insert into call_rollups as rollup (${KEY}, calls, total_ms)
    select ${KEY}, calls * ${sql.lit(times)}, total_ms * ${sql.lit(times)}
    from (${counted(sql`id = any(${ids}::uuid[])`)}) as counted
    on conflict (${KEY}) do update set
      calls = rollup.calls + excluded.calls, total_ms = rollup.total_ms + excluded.total_ms`.execute(trx);
}

/** The rollup rows of one ended call, as JSON text. */
export async function countedCall(trx: Db, session_id: string): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    -- prepared: counted_call
    select coalesce(json_agg(counted), '[]')::text as text
    from (${counted(sql`id = ${session_id}::uuid`)}) as counted`.execute(trx);
  return rows[0]?.text ?? '[]';
}

/**
 * Replaces the rows of an ended call, `before`, by those of the call as it is in the transaction. One statement with
 * both in the order of their keys: two statements, each sorted, would lock keys in an order of their own and deadlock.
 */
export async function moveCall(trx: Db, session_id: string, before: string): Promise<void> {
  await sql`
    -- prepared: move_call
    insert into call_rollups as rollup (${KEY}, calls, total_ms)
    select ${KEY}, sum(calls), sum(total_ms) from (
      select ${KEY}, -calls as calls, -total_ms as total_ms
      from json_populate_recordset(null::call_rollups, ${before}::text::json)
      union all
      select ${KEY}, calls, total_ms from (${counted(sql`id = ${session_id}::uuid`)}) as counted
    ) as moved
    group by ${KEY} having sum(calls) <> 0 or sum(total_ms) <> 0 order by ${KEY}
    on conflict (${KEY}) do update set
      calls = rollup.calls + excluded.calls, total_ms = rollup.total_ms + excluded.total_ms`.execute(trx);
}

export async function deleteCallRollups(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('call_rollups').where('user_id', '=', user_id).execute();
}

/** Calls of one group, or of all; times in milliseconds, percentiles as buckets. Null: no call was answered. */
export interface CallRow extends Partial<Record<Exclude<Dimension, 'agent_version'>, string>> {
  agent_version?: number;
  is_total: boolean;
  calls: number;
  answered: number;
  ring_mean_ms: number;
  ring_p50_bucket: number;
  ring_p95_bucket: number;
  talk_mean_ms: number | null;
  talk_p50_bucket: number | null;
  talk_p95_bucket: number | null;
}

/** The calls of all groups together, then up to `limit` groups in the order of their keys. */
export async function callFigures(
  db: Db,
  filter: CallFilter,
  dimensions: Dimension[],
  limit: number,
): Promise<CallRow[]> {
  const names = dimensions.map((name) => sql.ref(name));
  const list = (...more: RawBuilder<unknown>[]) => sql.join([...names, ...more]);
  const and = names.length > 0 ? sql`${sql.join(names)},` : sql``;
  const isTotal = names[0] ? sql`grouping(${names[0]}) = 1` : sql`true`;
  const sets = names.length > 0 ? sql`(${list(sql`metric`, sql`bucket`)}), (metric, bucket)` : sql`(metric, bucket)`;
  const figure = (column: string, metric: 'ring' | 'talk') =>
    sql`max(${sql.ref(column)}) filter (where metric = ${sql.lit(metric)})`;
  const { rows } = await sql<CallRow>`
    with chosen as (
      select ${sql.join([...dimensions.map((name) => sql`${DIMENSIONS[name]} as ${sql.ref(name)}`), sql`metric, bucket, calls, total_ms`])}
      from call_rollups where ${conditions(filter)}
    ), merged as (
      select ${isTotal} as is_total, ${and} metric, bucket, sum(calls) as calls, sum(total_ms) as total_ms
      from chosen group by grouping sets (${sets})
    ), ranked as (
      select *, sum(calls) over (histogram order by bucket) as upto, sum(calls) over histogram as count
      from merged window histogram as (partition by is_total, ${and} metric)
    ), figures as (
      select is_total, ${and} metric, max(count)::bigint as count, round(sum(total_ms) / max(count))::bigint as mean_ms,
        min(bucket) filter (where upto >= count * 0.5) as p50_bucket,
        min(bucket) filter (where upto >= count * 0.95) as p95_bucket
      from ranked where count > 0 group by is_total, ${and} metric
    )
    select is_total, ${and} ${figure('count', 'ring')} as calls, coalesce(${figure('count', 'talk')}, 0) as answered,
      ${figure('mean_ms', 'ring')} as ring_mean_ms, ${figure('p50_bucket', 'ring')} as ring_p50_bucket,
      ${figure('p95_bucket', 'ring')} as ring_p95_bucket, ${figure('mean_ms', 'talk')} as talk_mean_ms,
      ${figure('p50_bucket', 'talk')} as talk_p50_bucket, ${figure('p95_bucket', 'talk')} as talk_p95_bucket
    from figures group by ${sql.join([sql`is_total`, ...names])} order by ${sql.join([sql`is_total desc`, ...names])}
    limit ${limit + 1}`.execute(db);
  return rows;
}

function conditions({ days, ...equals }: CallFilter): RawBuilder<unknown> {
  const all = Object.entries(equals).flatMap(([name, value]) =>
    value === null ? [] : sql`${sql.ref(name)} = ${value}`,
  );
  if (days.from !== null) all.push(sql`day >= ${days.from}::date`);
  if (days.to !== null) all.push(sql`day <= ${days.to}::date`);
  return all.length > 0 ? sql.join(all, sql` and `) : sql`true`;
}

/** Blocks other writes to the rollups until the transaction ends; reports continue to read them. */
export async function lockCallRollups(trx: Db): Promise<void> {
  await sql`lock table call_rollups in share row exclusive mode`.execute(trx);
}

/** The users with sessions or rollups. */
export const callers = (db: Db) => usersOf(db, ['sessions', 'call_rollups']);

/** The number of a user's rollups that are wrong, missing, or left over. */
export async function countWrongCalls(db: Db, user_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${counted(sql`user_id = ${user_id}`)}) as fact
    full join (select * from call_rollups where user_id = ${user_id}) as kept using (${KEY})
    where coalesce(fact.calls, 0) <> coalesce(kept.calls, 0) or coalesce(fact.total_ms, 0) <> coalesce(kept.total_ms, 0)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Rebuilds the rollups of a user from its sessions. */
export async function rebuildCalls(trx: Db, user_id: string): Promise<void> {
  await deleteCallRollups(trx, user_id);
  await sql`
    insert into call_rollups (${KEY}, calls, total_ms)
    select ${KEY}, calls, total_ms from (${counted(sql`user_id = ${user_id}`)}) as counted`.execute(trx);
}
