import { type RawBuilder, sql } from 'kysely';
import { isReadable } from '../../db/opening.ts';
import { isBetween, takeSnapshot } from '../../db/snapshots.ts';
import type { CallStatus, Db, SessionStatus, Tables } from '../../db/tables.ts';
import { queryOf, wordsOf } from '../../lib/word-hashes.ts';
import { IS_CLOSED, plain, readProgress } from './words-store.ts';

export interface HistoryFilter {
  user_id: string | null;
  status: SessionStatus | null;
  call_status: CallStatus | null;
  direction: 'INBOUND' | 'OUTBOUND' | 'WEB' | null;
  call_direction: 'INBOUND' | 'OUTBOUND' | null;
  end_reason: string | null;
  agent_id: string | null;
  agent_version: number | null;
  /** A number of either side, in E.164. */
  number: string | null;
  /** Created at or after. */
  from: Date | null;
  /** Created before. */
  to: Date | null;
}

/** Maximum calls scanned per page; the search for a rare value continues on the next pages. */
export const MAX_SCANNED = 5000;
/** Maximum search matches that are looked up; beyond it, the newest calls are scanned instead. */
const MAX_HITS = 2000;

/** A page of ids, and the id after which the next page begins; null on the last. */
export interface IdPage {
  ids: string[];
  next: string | null;
}

/**
 * Matching calls, newest first. Reads sessions, and transcripts for a search. Conditions without an index are checked
 * on the next 5,000 calls, so a page may be short without being the last.
 */
export async function findCalls(
  db: Db,
  filter: HistoryFilter,
  said: Said | null,
  after: string | null,
  limit: number,
): Promise<IdPage> {
  const rest = [...restOf(filter), ...(said?.condition ? [said.condition] : [])];
  const some = said?.ids ? [sql`id = any(${said.ids}::uuid[])`] : [];
  const window = rest.length > 0 ? MAX_SCANNED : limit + 1;
  const { rows } = await sql<{ ids: string[]; looked_at: number; oldest: string | null }>`
    with looked_at as (
      select id, call_status, call_direction, end_reason, agent_version, outbound_phone_number, caller_number, our_number
      from sessions where ${all([...indexed(filter, after), ...some, sql`call_status is not null`])} order by id desc limit ${window}
    )
    select array(select id::text from looked_at as sessions where ${all(rest)} order by id desc limit ${limit + 1}) as ids,
      (select count(*) from looked_at) as looked_at, (select id from looked_at order by id limit 1) as oldest`.execute(
    db,
  );
  const { ids = [], looked_at = 0, oldest = null } = rows[0] ?? {};
  if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null };
  return { ids, next: Number(looked_at) === window ? oldest : null };
}

/** Whether a session is a call that matches. */
export function fromSessions(filter: HistoryFilter, said: Said | null, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const some = said?.ids ? [sql`id = any(${said.ids}::uuid[])`] : [];
  const rest = [...restOf(filter), ...(said?.condition ? [said.condition] : [])];
  return sql`select from sessions where ${all([sql`sessions.id = ${id}`, sql`call_status is not null`, ...indexed(filter, null), ...some, ...rest])}`;
}

function indexed(filter: HistoryFilter, after: string | null): RawBuilder<boolean>[] {
  const { user_id, status, call_status, agent_id, from, to } = filter;
  const statuses = [...new Set([status, call_status && STATUS_OF[call_status]].filter((one) => one !== null))];
  return [
    ...(after !== null ? [sql<boolean>`id < ${after}::uuid`] : []),
    ...(user_id !== null ? [sql<boolean>`user_id = ${user_id}`] : []),
    ...statuses.map((one) => sql<boolean>`status = ${one}`),
    ...(agent_id !== null ? [sql<boolean>`agent_id = ${agent_id}::uuid`] : []),
    ...(from ? [sql<boolean>`created_at >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql<boolean>`created_at < ${to.toISOString()}::timestamptz`] : []),
  ];
}

function restOf({ call_status, direction, call_direction, end_reason, agent_version, number }: HistoryFilter) {
  const isPhone = direction !== null && direction !== 'WEB';
  return [
    // The status distinguishes the rest.
    ...(call_status && STATUS_OF[call_status] === 'FAILED' ? [sql<boolean>`call_status = ${call_status}`] : []),
    ...(call_direction !== null ? [sql<boolean>`call_direction = ${call_direction}`] : []),
    ...(direction === 'WEB' ? [sql<boolean>`call_direction is null`] : []),
    ...(isPhone ? [sql<boolean>`call_direction = ${direction}`] : []),
    ...(end_reason !== null ? [sql<boolean>`end_reason = ${end_reason}`] : []),
    ...(agent_version !== null ? [sql<boolean>`agent_version = ${agent_version}`] : []),
    ...(number !== null ? [sql<boolean>`${number} in (outbound_phone_number, caller_number, our_number)`] : []),
  ];
}

/** The status that belongs to a call_status. */
const STATUS_OF: Record<CallStatus, SessionStatus> = {
  RINGING: 'CREATED',
  ANSWERED: 'ACTIVE',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  NO_ANSWER: 'FAILED',
};

function all(conditions: RawBuilder<unknown>[]): RawBuilder<boolean> {
  return conditions.length > 0 ? sql`${sql.join(conditions, sql` and `)}` : sql`true`;
}

/** A search for words as they are in the index, and for hashes of those of encrypted transcripts. */
export interface Search {
  query: string;
  /** Words that are looked for in transcripts that are encrypted. */
  words: string[];
}

/**
 * The search for a text, its last word as a prefix; null if it has no words. With `hash` also whole words of encrypted
 * transcripts are found, with `isOn` those that are newer than the index.
 */
export async function readSearch(
  db: Db,
  text: string,
  { hash, isOn }: { hash: ((word: string) => string) | null; isOn: boolean },
): Promise<Search | null> {
  const { rows } = await sql<{
    words: string;
  }>`select plainto_tsquery('simple', ${plain(sql`${text}::text`)})::text as words`.execute(db);
  const words = rows[0]?.words ?? '';
  if (words === '') return null;
  const own = hash || isOn ? wordsOf(text) : [];
  const hashed = hash && own.length > 0 ? ` | (${queryOf(own, hash)})` : '';
  return { query: `(${words}:*)${hashed}`, words: own };
}

/** The calls that contain some words, or, if there are too many, a condition on a single call. */
export interface Said {
  ids: string[] | null;
  condition: RawBuilder<boolean> | null;
}

/** Finds the calls with these words: in the search index, or in transcripts newer than it. */
export async function findCallsWithWords(
  db: Db,
  { query: search, words }: Search,
  user_id: string | null,
  after: string | null,
): Promise<Said> {
  const seen = await readProgress(db);
  const until = await takeSnapshot(db);
  const { rows: fresh } = await sql<{ session_id: string }>`
    select distinct session_id from transcripts as entry
    where ${isBetween({ seen, until })} and not ${IS_CLOSED} and to_tsvector('simple', ${plain(sql`left(content, 8192)`)}) @@ ${search}::tsquery`.execute(
    db,
  );
  const own =
    user_id === null
      ? sql`${search}::tsquery`
      : sql`(('''@' || md5(${user_id}) || '''')::tsquery && ${search}::tsquery)`;
  const { rows: hits } = await sql<{ session_id: string }>`
    select session_id from calls_with_words(${own}, ${after}::uuid, ${MAX_HITS + 1}) as session_id`.execute(db);
  const closed = words.length > 0 ? await findInClosed(db, user_id, isBetween({ seen, until }), words) : [];
  const freshIds = [...closed, ...fresh.map(({ session_id }) => session_id)];
  if (hits.length <= MAX_HITS) {
    const ids = [...new Set([...hits.map(({ session_id }) => session_id), ...freshIds])];
    return { ids, condition: null };
  }
  // A value instead of a condition, so that the calls are looked up one by one.
  const condition = sql<boolean>`(id = any(${freshIds}::uuid[])
    or (select words @@ ${search}::tsquery from call_words where session_id = sessions.id))`;
  return { ids: null, condition };
}

/** Encrypted transcripts that are read for a search because the index does not have them yet. */
const MAX_FRESH = 5000;

/** The sessions of transcripts with these words among encrypted ones that are newer than the index. */
async function findInClosed(
  db: Db,
  user_id: string | null,
  isFresh: RawBuilder<unknown>,
  words: string[],
): Promise<string[]> {
  const isOwn = user_id === null ? sql`true` : sql`sessions.user_id = ${user_id}`;
  const { rows } = await sql<{ session_id: string; content: string }>`
    select entry.session_id, entry.content from transcripts as entry
    join sessions on sessions.id = entry.session_id
    where ${isFresh} and ${IS_CLOSED} and ${isOwn} order by entry.id desc limit ${MAX_FRESH}`.execute(db);
  const found = rows.filter((row) => {
    if (!isReadable(row, 'content')) return false;
    const said = new Set(wordsOf(row.content));
    return words.every((word) => said.has(word));
  });
  return [...new Set(found.map(({ session_id }) => session_id))];
}

/** The cost so far of each of these sessions, from the ledger; sessions without events are omitted. */
export async function readTotals(db: Db, session_ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ session_id: string; total: string }>`
    select session_id, trim_scale(sum(total_cost))::text as total from usage_events
    where session_id = any(${session_ids}::text[]) group by session_id`.execute(db);
  return new Map(rows.map(({ session_id, total }) => [session_id, total]));
}

/** Characters of the newest transcript in a list of calls. */
export const MAX_LAST_CHARS = 280;

/** The newest transcript of each of these sessions, truncated; sessions without one that can be read are omitted. */
export async function readLatestTranscripts(
  db: Db,
  session_ids: string[],
): Promise<Map<string, Pick<Tables['transcripts'], 'speaker' | 'content'>>> {
  const { rows } = await sql<{ session_id: string } & Pick<Tables['transcripts'], 'speaker' | 'content'>>`
    select asked.session_id::text, last.speaker, last.content
    from unnest(${session_ids}::uuid[]) as asked (session_id) cross join lateral (
      select speaker, case when ${IS_CLOSED} then content else left(content, ${MAX_LAST_CHARS}) end as content
      from transcripts as entry
      where entry.session_id = asked.session_id order by seq desc, id desc limit 1
    ) as last`.execute(db);
  return new Map(
    rows
      .filter((row) => isReadable(row, 'content'))
      .map(({ session_id, speaker, content }) => [
        session_id,
        { speaker, content: Array.from(content).slice(0, MAX_LAST_CHARS).join('') },
      ]),
  );
}
