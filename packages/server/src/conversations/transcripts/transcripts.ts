import type { Static } from 'typebox';
import type { Content } from '../../access/data-keys/content.ts';
import {
  type Idempotency,
  onceEach,
  onceEachInTransaction,
  type Repeatable,
} from '../../access/idempotency/idempotency.ts';
import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Batch } from '../../db/retention-batches.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { idsSince, newId } from '../../lib/ids.ts';
import { type PageRequest, toPage } from '../../lib/page.ts';
import { assertTakesReports, type Session, type Sessions } from '../sessions/sessions.ts';
import type { TranscriptCreate } from './schema.ts';
import {
  deleteOldTranscripts,
  deleteTranscripts,
  deleteTranscriptsOf,
  insertTranscripts,
  listLast,
  listStarts,
  listTranscripts,
  type NewTranscript,
  openText,
} from './store.ts';

export type Transcripts = ReturnType<typeof createTranscripts>;

/** Characters per statement, and characters that may queue: a few seconds of the database's throughput. */
const LIMITS = { batch_size: 1_000_000, queue_depth: 20_000_000 };
/** Earlier lines that may ask for the number that comes next, or begin it. */
const REMEMBERED = 10;
/** Bytes that a row takes besides its content. */
const ROW = 500;

/** A stored transcript. */
export type Said = Omit<NewTranscript, 'room_name' | 'started_at'>;

/** A session to which words are added. */
type Addressed = Pick<Session, 'id' | 'user_id' | 'room_name' | 'privacy'>;

interface Entry extends Repeatable {
  transcript: NewTranscript;
  /** Its content as it is stored. */
  closed: { text: string; key_id: string | null };
}

/** Reads a person's words: returns work for the transaction that stores them, or null. */
export type Hear = (session: Session, words: string) => Promise<((trx: Db, id: string) => Promise<void>) | null>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  sessions: Sessions;
  hear: Hear;
  content: Content;
}

export function createTranscripts({ db, clock, sessions, hear, content }: Deps) {
  const { redactions } = sessions;
  // Grouped, because each commit costs a disk write, however many rows it has.
  const write = createGroupCommit<Entry, { answer: Said }>({
    runBatch: (entries) => onceEach(db, entries, insert),
    sizeOf: ({ transcript }) => ROW + transcript.content.length,
    limits: LIMITS,
  });

  /** Adds a transcript to the session of a room. Throws `not_found`, or `session_ended` a day after its end. */
  async function add(
    room_name: string,
    input: Static<typeof TranscriptCreate>,
    caller: string | null,
    idempotency: Idempotency | null,
  ): Promise<Said> {
    const session = await sessions.getByRoom(room_name, caller);
    const now = clock.now();
    assertTakesReports(session, now);
    const speaker = input.speaker ?? 'USER';
    const transcript = {
      id: newId(),
      session_id: session.id,
      room_name,
      content: redactions.reportedLine(session, speaker, input.content),
      speaker,
      ...timesOf(input, now),
    };
    const closed = await content.close(session, transcript.content);
    const entry = { user_id: session.user_id, idempotency, transcript, closed };
    const follow = speaker === 'USER' ? await hear(session, input.content) : null;
    const { answer } = follow ? await writeAnd(entry, follow) : await write(entry);
    if (answer.id === transcript.id) return { ...answer, content: transcript.content };
    return { ...answer, content: await openText(db, answer.content) };
  }

  /** A room that an erasure has renamed meanwhile is not found. */
  async function insert(within: Db, entries: Entry[]): Promise<(Said | Error)[]> {
    const written = await insertTranscripts(within, entries.map(rowOf));
    // Another process may have destroyed a key a moment ago: once more, with the next key of the user.
    const left = entries.filter(({ transcript, closed }) => closed.key_id !== null && !written.has(transcript.id));
    const refused = await closeAgain(content, within, left);
    const again = left.filter((entry) => !refused.has(entry));
    if (again.length > 0) for (const id of await insertTranscripts(within, again.map(rowOf))) written.add(id);
    return entries.map((entry) => {
      const { room_name: _, started_at: __, ...said } = entry.transcript;
      if (written.has(said.id)) return { ...said, content: entry.closed.text };
      return refused.get(entry) ?? new AppError('not_found');
    });
  }

  /** Writes a transcript in a transaction of its own, together with what follows from it. */
  async function writeAnd(entry: Entry, follow: NonNullable<Awaited<ReturnType<Hear>>>): Promise<{ answer: Said }> {
    const [done] = await onceEachInTransaction(db, [entry], async (trx, entries) => {
      const written = await insert(trx, entries);
      for (const said of written) if (!(said instanceof Error)) await follow(trx, said.id);
      return written;
    });
    if (!done || done instanceof Error) throw done ?? new AppError('internal_error');
    return done;
  }

  /** Adds a transcript to a session that the transaction has locked; returns its id. */
  async function addTo(trx: Db, session: Addressed, line: Pick<Said, 'speaker' | 'content'>) {
    const { id: session_id, room_name } = session;
    const redacted = await withoutSecrets(trx, redactions, session, line, clock.now());
    const { text, key_id } = await content.close(session, redacted, trx);
    const transcript = { ...line, id: newId(), session_id, room_name, timestamp: clock.now(), content: text, key_id };
    if (!(await insertTranscripts(trx, [transcript])).has(transcript.id)) throw new AppError('not_found');
    return transcript.id;
  }

  /** In the order of insertion. */
  async function list(session_id: string, page: PageRequest, caller: string | null, within: Db = db) {
    const session = await sessions.get(session_id, caller, within);
    const rows = await listTranscripts(within, session.id, idsSince(session.id, clock.now()), page);
    return toPage(rows, page.limit, (row) => row.id, rows[0]?.found);
  }

  /** A whole conversation, in order; in pages of `limit`. */
  async function listAll(session_id: string, limit: number, within: Db = db): Promise<Said[]> {
    const said: Said[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(session_id, { limit, after }, null, within);
      said.push(...page.items);
      after = page.next_cursor === null ? null : (page.items.at(-1)?.id ?? null);
    } while (after !== null);
    return said;
  }

  /** Adds the same words to another session, redacted as there, with the same times; returns these, and both ids. */
  async function copyTo(trx: Db, to: Addressed, said: Said[]) {
    const [redact, { id: session_id, room_name }] = [redactions.after(to, []), to];
    const rows: NewTranscript[] = [];
    const copies: { id: string; of: string; timestamp: Date }[] = [];
    for (const { id: of, timestamp, ...line } of said) {
      const id = newId();
      const { text, key_id } = await content.close(to, redact(line), trx);
      rows.push({ ...line, id, session_id, room_name, content: text, key_id, timestamp });
      copies.push({ id, of, timestamp });
    }
    await insertTranscripts(trx, rows);
    return copies;
  }

  return {
    add,
    addTo,
    copyTo,
    list,
    listAll,
    starts: (session_id: string) => listStarts(db, session_id, idsSince(session_id, clock.now())),
    /** Deletes transcripts of a session that the transaction has locked. */
    remove: deleteTranscripts,
    erase: deleteTranscriptsOf,
    /** Deletes a batch of the old transcripts. */
    deleteOlder: (batch: Batch) => deleteOldTranscripts(db, batch),
  };
}

const timesOf = ({ timestamp, started_at }: Static<typeof TranscriptCreate>, now: Date) => ({
  timestamp: timestamp ? new Date(timestamp) : now,
  started_at: started_at ? new Date(started_at) : null,
});

const rowOf = ({ transcript, closed: { text, key_id } }: Entry): NewTranscript => ({
  ...transcript,
  content: text,
  key_id,
});

/** Returns those whose session was erased, or whose key cannot be had: no other one may fail with them. */
async function closeAgain(content: Content, within: Db, entries: Entry[]): Promise<Map<Entry, AppError>> {
  const refused = new Map<Entry, AppError>();
  for (const entry of entries) {
    const { session_id: id, content: text } = entry.transcript;
    const closed = await content.close({ id, user_id: entry.user_id }, text, within).catch(refusal);
    if (closed instanceof AppError) refused.set(entry, closed);
    else entry.closed = closed;
  }
  return refused;
}

/** Other errors are those of the database, and fail the batch. */
function refusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** The next line of a session without its secrets, after the last ones, which other processes may have written. */
async function withoutSecrets(
  trx: Db,
  redactions: Sessions['redactions'],
  session: Addressed,
  line: Pick<Said, 'speaker' | 'content'>,
  now: Date,
): Promise<string> {
  const { id, privacy } = session;
  const before = privacy && (await listLast(trx, id, idsSince(id, now), REMEMBERED));
  // Only a worker's lines should have no secrets.
  return redactions.after(session, before ?? [])(line, line.speaker !== 'USER');
}
