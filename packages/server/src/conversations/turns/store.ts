import { type Insertable, type Selectable, sql } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
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
      select id, user_id, agent_id, agent_version from sessions where id = ${session_id}::uuid and erased_at is null for key share
    ), input as (
      select distinct on (turn_index) * from unnest(
        ${column('id')}::uuid[], ${column('turn_index')}::integer[], ${column('model')}::text[], ${times}::timestamptz(3)[],
        ${column('transcript_ms')}::integer[], ${column('first_token_ms')}::integer[], ${column('first_audio_ms')}::integer[],
        ${column('transcript_bucket')}::smallint[], ${column('first_token_bucket')}::smallint[],
        ${column('first_audio_bucket')}::smallint[], ${column('interrupted_after_ms')}::integer[]
      ) with ordinality as turn (
        id, turn_index, model, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms,
        transcript_bucket, first_token_bucket, first_audio_bucket, interrupted_after_ms, place
      ) order by turn_index, place
    ), inserted as (
      insert into turns
        (id, session_id, turn_index, model, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms,
          interrupted_after_ms, created_at)
      select input.id, owner.id, turn_index, model, end_of_speech_at, transcript_ms, first_token_ms, first_audio_ms,
        interrupted_after_ms, ${at.toISOString()}::timestamptz(3)
      from input cross join owner order by turn_index
      on conflict (session_id, turn_index) do nothing returning turn_index
    ), rolled_up as (
      insert into turn_rollups as rollup (user_id, day, agent_id, model, metric, bucket, agent_version, turns, total_ms)
      select user_id, (${at.toISOString()}::timestamptz at time zone 'UTC')::date, coalesce(agent_id::text, ''),
        coalesce(model, ''), metric, bucket, coalesce(agent_version, 0), count(*), sum(ms)
      from input join inserted using (turn_index) cross join owner
      cross join lateral (values
        ('transcript', transcript_bucket, transcript_ms),
        ('first_token', first_token_bucket, first_token_ms),
        ('first_audio', first_audio_bucket, first_audio_ms)
      ) as latency (metric, bucket, ms)
      where ms is not null group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
      on conflict (user_id, day, agent_id, model, metric, bucket, agent_version) do update set
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

/** The turns of a session with which the caller interrupted, in their order. */
export async function listInterruptions(db: Db, session_id: string, limit: number) {
  const rows = await db
    .selectFrom('turns')
    .select(['end_of_speech_at as ended_at', 'interrupted_after_ms as after_ms'])
    .where('session_id', '=', session_id)
    .where('interrupted_after_ms', 'is not', null)
    .orderBy('turn_index')
    .limit(limit)
    .execute();
  return rows.map(({ ended_at, after_ms }) => ({ ended_at, after_ms: after_ms ?? 0 }));
}

/** Deletes a batch of the turns, but none under a legal hold. */
export function deleteOldTurns(db: Db, batch: Batch): Promise<Deleted> {
  return deleteOld(db, { table: 'turns', id: 'id', of: { session: 'session_id' } }, batch);
}

export async function deleteTurnsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('turns').where('session_id', 'in', session_ids).execute();
}

export async function deleteTurnRollups(db: Db, user_id: string): Promise<void> {
  await db.deleteFrom('turn_rollups').where('user_id', '=', user_id).execute();
}

/** Columns by dimension. */
const COLUMN = { agent: 'agent_id', agent_version: 'agent_version', model: 'model' } as const;
export type TurnGroup = keyof typeof COLUMN;

/** The turns that a report covers; null: any. */
export interface TurnFilter {
  user_id: string;
  days: Days;
  agent_id: string | null;
  agent_version: number | null;
}

/** One latency of the turns of a group, or of all turns found. Columns that are not grouped by are absent. */
export interface LatencyRow {
  is_total: boolean;
  agent_id?: string | null;
  agent_version?: number | null;
  model?: string | null;
  metric: 'transcript' | 'first_token' | 'first_audio';
  turns: number;
  mean_ms: number;
  p50_bucket: number;
  p95_bucket: number;
}

/** The latencies of turns: the total, then up to `limit` groups, most turns first. */
export async function latencies(
  db: Db,
  { user_id, days: { from, to }, agent_id, agent_version }: TurnFilter,
  groups: [TurnGroup, ...TurnGroup[]],
  limit: number,
): Promise<LatencyRow[]> {
  const columns = sql.join(groups.map((group) => sql.ref(COLUMN[group])));
  const { rows } = await sql<LatencyRow>`
    with merged as (
      select grouping(${sql.ref(COLUMN[groups[0]])}) = 1 as is_total, ${columns}, metric, bucket, sum(turns) as turns,
        sum(total_ms) as total_ms
      from turn_rollups
      where user_id = ${user_id} and day >= coalesce(${from}::date, '-infinity') and day <= coalesce(${to}::date, 'infinity')
        and agent_id = coalesce(${agent_id}::text, agent_id)
        and agent_version = coalesce(${agent_version}::integer, agent_version)
      group by grouping sets ((${columns}, metric, bucket), (metric, bucket))
    ), ranked as (
      select *, sum(turns) over (histogram order by bucket) as upto, sum(turns) over histogram as count
      from merged window histogram as (partition by is_total, ${columns}, metric)
    ), figures as (
      select is_total, ${columns}, metric, max(count)::bigint as turns, round(sum(total_ms) / max(count))::bigint as mean_ms,
        min(bucket) filter (where upto >= count * 0.5) as p50_bucket,
        min(bucket) filter (where upto >= count * 0.95) as p95_bucket
      from ranked where count > 0 group by is_total, ${columns}, metric
    ), measured as (
      select *, max(turns) over (partition by is_total, ${columns}) as busiest from figures
    ), placed as (
      select *, dense_rank() over (order by is_total desc, busiest desc, ${columns}) as place from measured
    )
    select is_total, ${columns}, metric, turns, mean_ms, p50_bucket, p95_bucket
    from placed where place <= ${limit + 1} order by place, metric`.execute(db);
  return rows;
}
