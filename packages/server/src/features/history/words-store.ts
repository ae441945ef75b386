import { type RawBuilder, sql } from 'kysely';
import { isBetween, takeSnapshot } from '../../db/snapshots.ts';
import type { Db } from '../../db/tables.ts';
import { parsePosition, positionText, type Snapshot } from '../../lib/stream-position.ts';

/** Transcripts whose words are written in one transaction, and sessions of before the positions. */
const BATCH = 5000;
const OLD_SESSIONS = 100;
/** Characters of one transcript, and of all of a call in one batch. A search vector holds a mebibyte. */
const LINE = 8192;
const TEXT = 100_000;
/** Bytes of a call's words, as text, beyond which no more are added. */
const FULL = 400_000;

interface Progress {
  seen: Snapshot;
  backfill: string | null;
}

/** Text without the brackets between which PostgreSQL takes words for a tag, and leaves them out. */
export const plain = (text: RawBuilder<unknown>) => sql`translate(${text}, '<>', '  ')`;

/** Reads the progress and locks it; null while another transaction has it. */
export async function lockProgress(trx: Db, lock: 'wait' | 'skip'): Promise<Progress | null> {
  const { rows } = await sql<{ seen: string; backfill: string | null }>`
    select seen, backfill from call_words_progress for update ${sql.raw(lock === 'skip' ? 'skip locked' : '')}`.execute(
    trx,
  );
  const [row] = rows;
  return row ? { seen: parsePosition(row.seen).seen, backfill: row.backfill } : null;
}

/** Reads how far the words are written. */
export async function readProgress(db: Db): Promise<Snapshot> {
  const { rows } = await sql<{ seen: string }>`select seen from call_words_progress`.execute(db);
  return parsePosition(rows[0]?.seen ?? '1').seen;
}

/** Writes the words of transcripts that were committed since; tells whether there may be more. */
export async function writeNewWords(trx: Db, { seen }: Progress): Promise<boolean> {
  const now = await takeSnapshot(trx);
  const { rows } = await sql<{ last: number; count: number }>`
    select max(tx) as last, count(*) as count from (
      select tx from transcripts where tx >= ${seen.next}::bigint and tx < ${now.next}::bigint order by tx limit ${BATCH}
    ) as next`.execute(trx);
  const { last, count } = rows[0] ?? { last: 0, count: 0 };
  // All of the last transaction: less of it could not be told.
  const isMore = Number(count) === BATCH;
  const next = isMore ? Number(last) + 1 : now.next;
  const until = { next, inProgress: now.inProgress.filter((tx) => tx < next) };
  await addWords(trx, isBetween({ seen, until }));
  await sql`update call_words_progress set seen = ${positionText({ seen: until })}`.execute(trx);
  return isMore;
}

/** Writes the words of some sessions of before the positions; tells whether there are more. */
export async function writeOldWords(trx: Db, backfill: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id < ${backfill}::uuid order by id desc limit ${OLD_SESSIONS}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const last = ids.length === OLD_SESSIONS ? (ids.at(-1) ?? null) : null;
  if (ids.length > 0) await addWords(trx, sql`entry.session_id = any(${ids}::uuid[]) and entry.tx = 0`);
  await sql`update call_words_progress set backfill = ${last}::uuid`.execute(trx);
  return last !== null;
}

async function addWords(trx: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into call_words (session_id, words)
    select entry.session_id, array_to_tsvector(array['@' || md5(sessions.user_id)])
      || strip(to_tsvector('simple', ${plain(sql`left(string_agg(left(entry.content, ${LINE}::integer), ' '), ${TEXT}::integer)`)}))
    from transcripts as entry join sessions on sessions.id = entry.session_id
    where ${which} and sessions.call_status is not null and sessions.erased_at is null
    group by entry.session_id, sessions.user_id
    on conflict (session_id) do update set words = case
      when octet_length(call_words.words::text) < ${FULL}::integer then call_words.words || excluded.words else call_words.words
    end`.execute(trx);
}

/** Deletes the words of these sessions. */
export async function deleteWordsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0)
    await sql`delete from call_words where session_id = any(${session_ids}::uuid[])`.execute(db);
}

/**
 * Deletes all words of a user. Whoever is writing words is waited for: it may have read sessions of before the erasure.
 */
export async function deleteWordsOfUser(trx: Db, user_id: string): Promise<void> {
  await lockProgress(trx, 'wait');
  await sql`delete from call_words where words @@ ('''@' || md5(${user_id}) || '''')::tsquery`.execute(trx);
}

/**
 * Deletes the words of up to `limit` sessions made before the id `before`, of which no transcript is left: a call has
 * transcripts that are younger than itself. Tells how many.
 */
export async function deleteOldWords(db: Db, before: string, limit: number): Promise<number> {
  const result = await sql`
    delete from call_words where session_id in (
      select session_id from call_words as old
      where session_id < ${before}::uuid and not exists (select from transcripts where session_id = old.session_id)
      order by session_id limit ${limit}
    )`.execute(db);
  return Number(result.numAffectedRows);
}
