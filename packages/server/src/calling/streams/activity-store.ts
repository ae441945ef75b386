import { type RawBuilder, sql } from 'kysely';
import { isReadable } from '../../db/opening.ts';
import { isBetween, type Span } from '../../db/snapshots.ts';
import { STREAMED_TABLES } from '../../db/streamed-tables.ts';
import type { CallStatus, Db, FailedOver, SessionStatus, Tables } from '../../db/tables.ts';
import type { Place } from '../../lib/stream-position.ts';
import type { RecipientCount } from '../campaigns/campaigns.ts';

/** One entry of a user's calls. Transcripts are read separately, because they may be long. */
export type Entry = Place & { at: Date } & (
    | { kind: 'call'; session_id: string; data: { status: SessionStatus; call_status: CallStatus } }
    | { kind: 'provider.failed_over'; session_id: string; data: FailedOver }
    | { kind: 'transcript'; session_id: string; data: null }
    | { kind: 'turn'; session_id: string; data: { end_of_speech_at: string } }
    | { kind: 'cost'; session_id: string; data: { user_id: string } }
    | { kind: 'delivery'; session_id: string | null; data: object }
    | { kind: 'campaign'; session_id: null; data: ChangedCampaign }
  );

/** A campaign as it is when it is read. */
interface ChangedCampaign extends Pick<Tables['campaigns'], 'user_id' | 'state'> {
  is_deleted: boolean;
  blocked: string | null;
  blocked_until: string | null;
  spent: string;
  counts: RecipientCount[];
}

/** Costs, deliveries, turns and campaigns have no number in a call: they follow the entries that do. */
const LAST = sql.lit('ffffffff-ffff-ffff-ffff-ffffffffffff');

function isOf(user_id: string | null, column: string): RawBuilder<boolean> {
  return user_id === null ? sql`true` : sql`${sql.ref(column)} = ${user_id}`;
}

/** Campaigns as they are now, each once however often it has changed. */
const campaignsIn = (isNew: RawBuilder<boolean>, user_id: string | null) => sql`
      select 'campaign', ${LAST}::uuid, 3, entry.id, statement_timestamp(), null, json_build_object(
        'user_id', entry.user_id, 'state', entry.state, 'is_deleted', entry.deleted_at is not null, 'blocked', entry.blocked, 'blocked_until', entry.blocked_until,
        'spent', trim_scale(entry.spent)::text, 'counts', (
          select coalesce(json_agg(json_build_object('kind', kind, 'name', name, 'count', count)), '[]')
          from campaign_counts where campaign_id = entry.id and kind = 'recipients'))
      from campaigns as entry where ${isNew} and ${isOf(user_id, 'entry.user_id')}`;

/**
 * Entries between two snapshots, of one user or all (null): those of each call in the order of their numbers, then
 * costs, deliveries, turns and campaigns.
 */
export async function listEntries(
  db: Db,
  user_id: string | null,
  span: Span,
  after: Place | null,
  limit: number,
): Promise<Entry[]> {
  const isNew = isBetween(span);
  const isShown = sql`sessions.call_status is not null and sessions.erased_at is null and ${isOf(user_id, 'sessions.user_id')}`;
  const rest = after
    ? sql`where (grp, seq, id) > (${after.grp}::uuid, ${after.seq}::bigint, ${after.id}::uuid)`
    : sql``;
  const { rows } = await sql<Entry>`
    select kind, grp, seq, id, at, session_id, data from (
      select case when failed_over is null then 'call' else 'provider.failed_over' end as kind, entry.session_id as grp, entry.seq, entry.id, entry.created_at as at,
        entry.session_id::text as session_id,
        coalesce(failed_over::json, json_build_object('status', entry.status, 'call_status', entry.call_status)) as data
      from session_events as entry join sessions on sessions.id = entry.session_id where ${isNew} and ${isShown}
      union all
      select 'transcript', entry.session_id, entry.seq, entry.id, entry.timestamp, entry.session_id::text, null
      from transcripts as entry join sessions on sessions.id = entry.session_id where ${isNew} and ${isShown}
      union all
      select 'cost', ${LAST}::uuid, 0, entry.id, entry.created_at, entry.session_id, json_build_object(
        'user_id', entry.user_id, 'agent_id', entry.agent_id, 'provider', entry.provider,
        'event_type', entry.event_type, 'quantity', trim_scale(entry.quantity)::text,
        'unit_cost', trim_scale(entry.unit_cost)::text, 'total_cost', trim_scale(entry.total_cost)::text,
        'model', entry.model, 'direction', entry.direction, 'is_unpriced', entry.is_unpriced, 'adjusts', entry.adjusts,
        'used_on', entry.used_on)
      from usage_events as entry where ${isNew} and ${isOf(user_id, 'entry.user_id')}
      union all
      select 'delivery', ${LAST}::uuid, 1, entry.id, entry.attempted_at, callbacks.session_id::text, json_build_object(
        'user_id', callbacks.user_id, 'callback_id', callbacks.id, 'endpoint_id', callbacks.endpoint_id,
        'type', callbacks.type, 'url', callbacks.url, 'status', callbacks.status,
        'latency_ms', entry.latency_ms, 'response_status', entry.response_status, 'error', entry.error)
      from callback_attempts as entry join callbacks on callbacks.id = entry.callback_id
      where ${isNew} and ${isOf(user_id, 'callbacks.user_id')}
      union all
      select 'turn', ${LAST}::uuid, 2, entry.id, entry.created_at, entry.session_id::text, json_build_object(
        'turn_index', entry.turn_index, 'model', entry.model, 'end_of_speech_at', entry.end_of_speech_at,
        'transcript_ms', entry.transcript_ms, 'first_token_ms', entry.first_token_ms,
        'first_audio_ms', entry.first_audio_ms, 'interrupted_after_ms', entry.interrupted_after_ms)
      from turns as entry join sessions on sessions.id = entry.session_id where ${isNew} and ${isShown}
      union all
      ${campaignsIn(isNew, user_id)}
    ) as entries
    ${rest} order by grp, seq, id limit ${limit}`.execute(db);
  return rows;
}

/** The users among these (null: any) with entries between two snapshots. */
export async function findActive(db: Db, user_ids: string[] | null, span: Span): Promise<Set<string>> {
  const isNew = isBetween(span);
  const isAsked = user_ids === null ? sql`true` : sql`user_id = any(${user_ids}::text[])`;
  const { rows } = await sql<{ user_id: string }>`
    select user_id from sessions where ${isAsked} and id in (
      select session_id from session_events as entry where ${isNew}
      union select session_id from transcripts as entry where ${isNew}
      union select session_id from turns as entry where ${isNew}
    )
    union
    select user_id from usage_events as entry where ${isNew} and ${isAsked}
    union
    select user_id from callback_attempts as entry join callbacks on callbacks.id = entry.callback_id
    where ${isNew} and ${isAsked}
    union
    select user_id from campaigns as entry where ${isNew} and ${isAsked}`.execute(db);
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Counts entries of all users between two snapshots, up to `limit`. */
export async function countEntries(db: Db, span: Span, limit: number): Promise<number> {
  const some = STREAMED_TABLES.map(
    (table) => sql`(select from ${sql.table(table)} as entry where ${isBetween(span)} limit ${limit})`,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from (${sql.join(some, sql` union all `)}) as each limit ${limit}) as all_of_them
  `.execute(db);
  return Number(rows[0]?.count);
}

/** The cost so far of each of these sessions and users, by `costKey`. */
export async function readCosts(db: Db, session_ids: string[]): Promise<Map<string, string>> {
  if (session_ids.length === 0) return new Map();
  const { rows } = await sql<{ session_id: string; user_id: string; total: string }>`
    select session_id, user_id, trim_scale(sum(total_cost))::text as total from usage_events
    where session_id = any(${session_ids}::text[]) group by session_id, user_id`.execute(db);
  return new Map(rows.map((row) => [costKey(row), row.total]));
}

/** The key of a session's cost: the costs of one call may be logged for several users. */
export function costKey({ session_id, user_id }: { session_id: string; user_id: string }): string {
  return JSON.stringify([session_id, user_id]);
}

export type Said = Pick<Tables['transcripts'], 'id' | 'speaker' | 'content'>;

/** Transcripts by id; deleted ones are omitted, and those that cannot be decrypted. */
export async function findTranscripts(db: Db, ids: string[]): Promise<Map<string, Said>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Said>`
    select id, speaker, content from transcripts where id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.filter((row) => isReadable(row, 'content')).map((row) => [row.id, row]));
}
