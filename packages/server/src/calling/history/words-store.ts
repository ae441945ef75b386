import { type RawBuilder, sql } from 'kysely';
import { errorOf, isClosed } from '../../db/opening.ts';
import { type Batch, type Deleted, listOld } from '../../db/retention-batches.ts';
import { isBetween, takeSnapshot } from '../../db/snapshots.ts';
import type { Db } from '../../db/tables.ts';
import { isPassing } from '../../lib/errors.ts';
import { parsePosition, positionText, type Snapshot } from '../../lib/stream-position.ts';
import { entriesOf, wordsOf } from '../../lib/word-hashes.ts';

/** Transcripts indexed per transaction, and sessions per transaction of the backfill. */
const BATCH = 5000;
const OLD_SESSIONS = 100;
/**
 * Maximum characters of one transcript, and of all of a call's in one batch. A search vector is limited to a
 * mebibyte.
 */
const LINE = 8192;
const TEXT = 100_000;
/** Bytes of a call's words, as text, after which no more are added. */
const FULL = 400_000;

/** Hashes words of encrypted transcripts; null where none can be decrypted. */
export type FindHash = ((trx: Db) => Promise<((word: string) => string) | null>) | null;

interface Progress {
  seen: Snapshot;
  backfill: string | null;
}

/** Text without angle brackets: PostgreSQL would take words between them for a tag and drop them. */
export const plain = (text: RawBuilder<unknown>) => sql`translate(${text}, '<>', '  ')`;

/** Reads and locks the progress; null while another transaction holds it. */
export async function lockProgress(trx: Db, lock: 'wait' | 'skip'): Promise<Progress | null> {
  const { rows } = await sql<{ seen: string; backfill: string | null }>`
    select seen, backfill from call_words_progress for update ${sql.raw(lock === 'skip' ? 'skip locked' : '')}`.execute(
    trx,
  );
  const [row] = rows;
  return row ? { seen: parsePosition(row.seen).seen, backfill: row.backfill } : null;
}

/** Reads how far transcripts have been indexed. */
export async function readProgress(db: Db): Promise<Snapshot> {
  const { rows } = await sql<{ seen: string }>`select seen from call_words_progress`.execute(db);
  return parsePosition(rows[0]?.seen ?? '1').seen;
}

/** Indexes the words of newly committed transcripts; returns whether there may be more. */
export async function writeNewWords(trx: Db, { seen }: Progress, findHash: FindHash): Promise<boolean> {
  const now = await takeSnapshot(trx);
  const { rows } = await sql<{ last: number; count: number }>`
    select max(tx) as last, count(*) as count from (
      select tx from transcripts where tx >= ${seen.next}::bigint and tx < ${now.next}::bigint order by tx limit ${BATCH}
    ) as next`.execute(trx);
  const { last, count } = rows[0] ?? { last: 0, count: 0 };
  // Includes the last transaction completely: the progress cannot stop in the middle of one.
  const isMore = Number(count) === BATCH;
  const next = isMore ? Number(last) + 1 : now.next;
  const until = { next, inProgress: now.inProgress.filter((tx) => tx < next) };
  await addWords(trx, isBetween({ seen, until }), findHash);
  await sql`update call_words_progress set seen = ${positionText({ seen: until })}`.execute(trx);
  return isMore;
}

/** Backfills the words of some older sessions; returns whether there are more. */
export async function writeOldWords(trx: Db, backfill: string, findHash: FindHash): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id < ${backfill}::uuid order by id desc limit ${OLD_SESSIONS}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const last = ids.length === OLD_SESSIONS ? (ids.at(-1) ?? null) : null;
  if (ids.length > 0) await addWords(trx, sql`entry.session_id = any(${ids}::uuid[]) and entry.tx = 0`, findHash);
  await sql`update call_words_progress set backfill = ${last}::uuid`.execute(trx);
  return last !== null;
}

async function addWords(trx: Db, which: RawBuilder<unknown>, findHash: FindHash): Promise<void> {
  await addClearWords(trx, which);
  if (!findHash) return;
  const { rows } = await sql<Closed>`
    select entry.session_id, sessions.user_id, entry.content
    from transcripts as entry join sessions on sessions.id = entry.session_id
    where ${which} and ${IS_CLOSED} and sessions.call_status is not null and sessions.erased_at is null`.execute(trx);
  // Those of a user whose key is lost have no words: the others are not to wait for them.
  const readable = rows.filter(isReadableNow);
  const hash = readable.length > 0 ? await findHash(trx) : null;
  if (hash) await addHashes(trx, readable, hash);
}

interface Closed {
  session_id: string;
  user_id: string;
  content: string;
}

/** Throws if it can only be read later, once the key management service answers: it would never be indexed. */
function isReadableNow(row: Closed): boolean {
  const error = errorOf(row, 'content');
  if (isPassing(error)) throw error;
  return error === undefined;
}

/** Whether a transcript may be encrypted: its words are not those of the text that the database has. */
export const IS_CLOSED = sql<boolean>`left(entry.content, 4) = chr(1) || 'SBC'`;

async function addHashes(trx: Db, rows: Closed[], hash: (word: string) => string): Promise<void> {
  for (const [session_id, said] of Map.groupBy(rows, (row) => row.session_id)) {
    // One that no key has opened has no words.
    const words = said.flatMap(({ content }) => (isClosed(content) ? [] : wordsOf(content)));
    const user = sql`'@' || md5(${said[0]?.user_id}::text)`;
    await save(
      trx,
      sql`select ${session_id}::uuid, array_to_tsvector(array[${user}]) || array_to_tsvector(${entriesOf(words, hash)}::text[])`,
    );
  }
}

async function addClearWords(trx: Db, which: RawBuilder<unknown>): Promise<void> {
  await save(
    trx,
    sql`select entry.session_id, array_to_tsvector(array['@' || md5(sessions.user_id)])
      || strip(to_tsvector('simple', ${plain(sql`left(string_agg(left(entry.content, ${LINE}::integer), ' '), ${TEXT}::integer)`)}))
    from transcripts as entry join sessions on sessions.id = entry.session_id
    where ${which} and not ${IS_CLOSED} and sessions.call_status is not null and sessions.erased_at is null
    group by entry.session_id, sessions.user_id`,
  );
}

async function save(trx: Db, found: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into call_words (session_id, words)
    ${found}
    on conflict (session_id) do update set words = case
      when octet_length(call_words.words::text) < ${FULL}::integer then call_words.words || excluded.words else call_words.words
    end`.execute(trx);
}

/** Deletes the words of these sessions. */
export async function deleteWordsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0)
    await sql`delete from call_words where session_id = any(${session_ids}::uuid[])`.execute(db);
}

/** Deletes all words of a user. Waits for a running indexer, which may have read sessions before the erasure. */
export async function deleteWordsOfUser(trx: Db, user_id: string): Promise<void> {
  await lockProgress(trx, 'wait');
  await sql`delete from call_words where words @@ ('''@' || md5(${user_id}) || '''')::tsquery`.execute(trx);
}

/** Deletes the words of those of a batch of sessions without transcripts: those of a call are younger than the call. */
export function deleteOldWords(db: Db, batch: Batch): Promise<Deleted> {
  return db.transaction().execute(async (trx) => {
    const aged = { table: 'call_words', id: 'session_id', of: { session: 'session_id' } };
    const { ids, next } = await listOld(trx, aged, batch);
    if (ids.length === 0) return { deleted: 0, next };
    const deleted = await sql`
      delete from call_words where session_id = any(${ids}::uuid[])
        and not exists (select from transcripts where transcripts.session_id = call_words.session_id)`.execute(trx);
    return { deleted: Number(deleted.numAffectedRows), next };
  });
}
