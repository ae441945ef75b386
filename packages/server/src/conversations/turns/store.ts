import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { Days } from '../../http/date-range.ts';
import type { PageRequest } from '../../lib/page.ts';

export type Turn = Selectable<Tables['turns']>;
type NewTurn = Insertable<Tables['turns']>;

/** A turn to insert, with the bucket of each latency. */
export interface BucketedTurn extends NewTurn {
  transcript_bucket: number | null;
  first_token_bucket: number | null;
  first_audio_bucket: number | null;
}

/**
 * Inserts new turns of a session and adds them to the histograms of its user, in one statement. The first turn with a
 * number counts. Returns the number of new ones; null if the session was erased meanwhile.
 */
export async function insertTurns(db: Db, session_id: string, turns: BucketedTurn[], at: Date): Promise<number | null> {
  const column = (name: keyof BucketedTurn) => turns.map((turn) => turn[name] ?? null);
  const times = turns.map(({ end_of_speech_at }) => (end_of_speech_at as Date).toISOString());
  const { rows } = await sql<{ added: number; owners: number }>`
    -- prepared: insert_turns
    with owner as (
      select id, user_id, agent_id from sessions where id = ${session_id}::uuid and erased_at is null for key share
    ), input as (
      select distinct on (turn_index) * from unnest(
        ${column('id')}::uuid[], ${column('turn_index')}::integer[], ${column('model')}::text[], ${times}::timestamptz(3)[],
        ${column('transcript_ms')}::integer[], ${column('first_token_ms')}::integer[], ${column('first_audio_ms')}::integer[],
        ${column('transcript_bucket')}::smallint[], ${column('first_token_bucket')}::smallint[],
        ${column('first_audio_bucket')}::smallint[]
      ) with ordinality as turn (
        id, turn_index, model, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms,
        transcript_bucket, first_token_bucket, first_audio_bucket, place
      ) order by turn_index, place
    ), inserted as (
      insert into turns
        (id, session_id, turn_index, model, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms, created_at)
      select input.id, owner.id, turn_index, model, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms,
        ${at.toISOString()}::timestamptz(3)
      from input cross join owner order by turn_index
      on conflict (session_id, turn_index) do nothing returning turn_index
    ), rolled_up as (
      insert into turn_rollups as rollup (user_id, day, agent_id, model, metric, bucket, turns, total_ms)
      select user_id, (${at.toISOString()}::timestamptz at time zone 'UTC')::date, coalesce(agent_id::text, ''),
        coalesce(model, ''), metric, bucket, count(*), sum(ms)
      from input join inserted using (turn_index) cross join owner
      cross join lateral (values
        ('transcript', transcript_bucket, transcript_ms),
        ('first_token', first_token_bucket, first_token_ms),
        ('first_audio', first_audio_bucket, first_audio_ms)
      ) as latency (metric, bucket, ms)
      where ms is not null group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6
      on conflict (user_id, day, agent_id, model, metric, bucket) do update set
        turns = rollup.turns + excluded.turns, total_ms = rollup.total_ms + excluded.total_ms
    )
    select (select count(*) from inserted) as added, (select count(*) from owner) as owners`.execute(db);
  return rows[0]?.owners ? rows[0].added : null;
}

/** In the order of their numbers; up to `limit` plus one. `page.after` is a number. */
export function listTurns(db: Db, session_id: string, page: PageRequest): Promise<Turn[]> {
  const query = db.selectFrom('turns').selectAll().where('session_id', '=', session_id);
  const rest = page.after === null ? query : query.where('turn_index', '>', Number(page.after));
  return rest
    .orderBy('turn_index')
    .limit(page.limit + 1)
    .execute();
}

/** Deletes up to `limit` turns created before the id `before`; returns their number. */
export async function deleteOldTurns(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('turns').select('id').where('id', '<', before).orderBy('id').limit(limit);
  const result = await db.deleteFrom('turns').where('id', 'in', old).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function deleteTurnsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('turns').where('session_id', 'in', session_ids).execute();
}

export async function deleteTurnRollups(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('turn_rollups').where('user_id', '=', user_id).execute();
}

/** One latency of the turns of an agent with a model, or of all turns of the user. */
export interface LatencyRow {
  is_total: boolean;
  agent_id: string | null;
  model: string | null;
  metric: 'transcript' | 'first_token' | 'first_audio';
  turns: number;
  mean_ms: number;
  p50_bucket: number;
  p95_bucket: number;
}

/** The latencies of a user: the total, then up to `limit` groups by agent and model, most turns first. */
export async function latencies(db: Db, user_id: string, { from, to }: Days, limit: number): Promise<LatencyRow[]> {
  const { rows } = await sql<LatencyRow>`
    with merged as (
      select grouping(agent_id) = 1 as is_total, agent_id, model, metric, bucket, sum(turns) as turns, sum(total_ms) as total_ms
      from turn_rollups
      where user_id = ${user_id} and day >= coalesce(${from}::date, '-infinity') and day <= coalesce(${to}::date, 'infinity')
      group by grouping sets ((agent_id, model, metric, bucket), (metric, bucket))
    ), ranked as (
      select *, sum(turns) over (histogram order by bucket) as upto, sum(turns) over histogram as count
      from merged window histogram as (partition by is_total, agent_id, model, metric)
    ), figures as (
      select is_total, agent_id, model, metric, max(count)::bigint as turns, round(sum(total_ms) / max(count))::bigint as mean_ms,
        min(bucket) filter (where upto >= count * 0.5) as p50_bucket,
        min(bucket) filter (where upto >= count * 0.95) as p95_bucket
      from ranked group by is_total, agent_id, model, metric
    ), measured as (
      select *, max(turns) over (partition by is_total, agent_id, model) as busiest from figures
    ), placed as (
      select *, dense_rank() over (order by is_total desc, busiest desc, agent_id, model) as place from measured
    )
    select is_total, agent_id, model, metric, turns, mean_ms, p50_bucket, p95_bucket
    from placed where place <= ${limit + 1} order by place, metric`.execute(db);
  return rows;
}
