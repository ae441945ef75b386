import type { Static } from 'typebox';
import {
  type Idempotency,
  onceEach,
  onceEachInTransaction,
  type Repeatable,
} from '../../access/idempotency/idempotency.ts';
import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
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
  listTranscripts,
  type NewTranscript,
} from './store.ts';

export type Transcripts = ReturnType<typeof createTranscripts>;

/** Characters per statement, and characters that may queue: a few seconds of the database's throughput. */
const LIMITS = { batch_size: 1_000_000, queue_depth: 20_000_000 };
/** Bytes that a row takes besides its content. */
const ROW = 500;

/** A stored transcript. */
type Said = Omit<NewTranscript, 'room_name'>;

/** A session to which words are added. */
type Addressed = Pick<Session, 'id' | 'room_name' | 'privacy'>;

interface Entry extends Repeatable {
  transcript: NewTranscript;
}

/** Reads a person's words: returns work for the transaction that stores them, or null. */
export type Hear = (session: Session, words: string) => Promise<((trx: Db, id: string) => Promise<void>) | null>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  sessions: Sessions;
  hear: Hear;
}

export function createTranscripts({ db, clock, sessions, hear }: Deps) {
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
      timestamp: input.timestamp ? new Date(input.timestamp) : now,
    };
    const entry = { user_id: session.user_id, idempotency, transcript };
    const follow = speaker === 'USER' ? await hear(session, input.content) : null;
    const { answer } = follow ? await writeAnd(entry, follow) : await write(entry);
    return answer;
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
  async function addTo(trx: Db, session: Addressed, { speaker, content: said }: Pick<Said, 'speaker' | 'content'>) {
    const { id: session_id, room_name } = session;
    const redact = speaker === 'USER' ? redactions.line : redactions.reportedLine;
    const content = redact(session, speaker, said);
    const transcript = { id: newId(), session_id, room_name, timestamp: clock.now(), speaker, content };
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

  /** Adds the same words to another session, as new transcripts with the same times; returns their ids. */
  async function copyTo(trx: Db, { id: session_id, room_name }: Pick<Session, 'id' | 'room_name'>, said: Said[]) {
    const copies = said.map((one) => ({ ...one, id: newId(), of: one.id }));
    await insertTranscripts(
      trx,
      copies.map(({ id, speaker, content, timestamp }) => ({ id, session_id, room_name, speaker, content, timestamp })),
    );
    return copies.map(({ id, of }) => ({ id, of }));
  }

  return {
    add,
    addTo,
    copyTo,
    list,
    listAll,
    /** Deletes transcripts of a session that the transaction has locked. */
    remove: deleteTranscripts,
    erase: deleteTranscriptsOf,
    /** Deletes up to `limit` transcripts created before the id `before`; returns their number. */
    deleteOlder: (before: string, limit: number) => deleteOldTranscripts(db, before, limit),
  };
}

/** A room that an erasure has renamed meanwhile is not found. */
async function insert(db: Db, entries: Entry[]): Promise<(Said | Error)[]> {
  const written = await insertTranscripts(
    db,
    entries.map(({ transcript }) => transcript),
  );
  return entries.map(({ transcript: { room_name, ...said } }) =>
    written.has(said.id) ? said : new AppError('not_found'),
  );
}
