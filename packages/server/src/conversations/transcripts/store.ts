import { type Selectable, sql } from 'kysely';
import { isClosed } from '../../db/opening.ts';
import { pageWithinBudget } from '../../db/page-budget.ts';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

/** Columns of what the API calls a transcript. */
const COLUMNS = ['id', 'session_id', 'seq', 'speaker', 'content', 'timestamp'] as const;

type Transcript = Omit<Selectable<Tables['transcripts']>, 'started_at'>;

/** Lines whose sound is placed in a recording. */
const MAX_STARTS = 10_000;

/** A transcript to insert, and the name of its room. */
export interface NewTranscript extends Omit<Transcript, 'seq'> {
  room_name: string;
  /** When its sound begins, if that is known. */
  started_at?: Date | null;
  /** The key that has encrypted its content; without one it is not encrypted. */
  key_id?: string | null;
}

/**
 * Writes transcripts in one statement, which numbers them under their sessions' locks, taken in the order of the ids.
 * Returns the ids of those written: a session whose room has been renamed is skipped, and so is a transcript whose key
 * was destroyed.
 */
export async function insertTranscripts(db: Db, said: NewTranscript[]): Promise<Set<string>> {
  const column = (name: 'id' | 'session_id' | 'room_name' | 'speaker' | 'content') => said.map((one) => one[name]);
  const keys = said.map(({ key_id }) => key_id ?? null);
  const isPlain = keys.every((key) => key === null);
  // A statement of its own for each, so that those without encryption are as they were.
  const [name, ids, column_name, held, isHeld] = isPlain
    ? [sql``, sql``, sql``, sql``, sql``]
    : [
        sql`_closed`,
        sql`, ${keys}::uuid[]`,
        sql`, key_id`,
        sql`, held as (select id from data_keys where id = any(${[...new Set(keys)]}::uuid[]) for key share)`,
        sql`and (key_id is null or key_id in (select id from held))`,
      ];
  const { rows } = await sql<{ id: string }>`
    -- prepared: insert_transcripts${name}
    with input as (
      select * from unnest(
        ${column('id')}::uuid[], ${column('session_id')}::uuid[], ${column('room_name')}::text[],
        ${column('speaker')}::text[], ${column('content')}::text[],
        ${said.map(({ timestamp }) => timestamp.toISOString())}::timestamptz(3)[],
        ${said.map(({ started_at }) => started_at?.toISOString() ?? null)}::timestamptz(3)[]${ids}
      ) with ordinality as line (id, session_id, room_name, speaker, content, timestamp, started_at${column_name}, place)
    ), locked as (
      select id, room_name, last_event from sessions
      where id = any(${[...new Set(column('session_id'))]}::uuid[]) order by id for update
    )${held}, numbered as (
      select line.*, last_event + row_number() over (partition by line.session_id order by place) as seq
      from input as line join locked on locked.id = line.session_id and locked.room_name = line.room_name
      ${isHeld}
    ), advanced as (
      update sessions set last_event = newest.seq
      from (select session_id, max(seq) as seq from numbered group by session_id) as newest
      where sessions.id = newest.session_id
    )
    insert into transcripts (id, session_id, seq, speaker, content, timestamp, started_at)
    select id, session_id, seq, speaker, content, timestamp, started_at from numbered returning id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Deletes a batch of the transcripts, but none under a legal hold. */
export function deleteOldTranscripts(db: Db, batch: Batch): Promise<Deleted> {
  return deleteOld(db, { table: 'transcripts', id: 'id', of: { session: 'session_id' } }, batch);
}

export async function deleteTranscripts(db: Db, session_id: string, ids: string[]): Promise<void> {
  const named = db.deleteFrom('transcripts').where('session_id', '=', session_id);
  if (ids.length > 0) await named.where('id', 'in', ids).execute();
}

export async function deleteTranscriptsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('transcripts').where('session_id', 'in', session_ids).execute();
}

/**
 * In the order of their numbers, which is that of insertion; ids follow clocks. As many as fit into a page, after the
 * transcript `page.after`. No id is below `since`, so earlier partitions are not read.
 */
export async function listTranscripts(db: Db, session_id: string, since: string, page: PageRequest) {
  const query = db
    .selectFrom('transcripts')
    .select(COLUMNS)
    .where('session_id', '=', session_id)
    .where('id', '>=', since)
    .orderBy('seq')
    .orderBy('id');
  const after = page.after === null ? null : await placeOf(db, session_id, page.after);
  const rest = after ? query.where(sql<boolean>`(seq, id) > (${after.seq}::bigint, ${after.id}::uuid)`) : query;
  return pageWithinBudget<Transcript>(db, rest, {
    limit: page.limit,
    order: sql`seq, id`,
    bytes: sql<number>`octet_length(content)`,
  });
}

/** The last lines of a session, in order. No id is below `since`. */
export async function listLast(db: Db, session_id: string, since: string, limit: number) {
  const query = db
    .selectFrom('transcripts')
    .select(['speaker', 'content'])
    .where('session_id', '=', session_id)
    .where('id', '>=', since);
  const rows = await query.orderBy('seq', 'desc').orderBy('id', 'desc').limit(limit).execute();
  return rows.toReversed();
}

/** When the sound of each line of a session begins, of which that is known. No id is below `since`. */
export async function listStarts(db: Db, session_id: string, since: string) {
  const query = db
    .selectFrom('transcripts')
    .select(['id', 'started_at'])
    .where('session_id', '=', session_id)
    .where('id', '>=', since)
    .where('started_at', 'is not', null);
  return query.orderBy('seq').orderBy('id').limit(MAX_STARTS).execute();
}

/** Null for a deleted transcript, like all before it. */
async function placeOf(db: Db, session_id: string, id: string): Promise<Pick<Transcript, 'seq' | 'id'> | null> {
  const query = db.selectFrom('transcripts').select(['seq', 'id']).where('id', '=', id);
  return (await query.where('session_id', '=', session_id).executeTakeFirst()) ?? null;
}

/** A content as it was stored with an answer: decrypted like everything that comes from the database. */
export async function openText(db: Db, content: string): Promise<string> {
  if (!isClosed(content)) return content;
  const { rows } = await sql<{ content: string }>`select ${content}::text as content`.execute(db);
  return rows[0]?.content ?? content;
}
