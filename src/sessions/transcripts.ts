import type { Selectable } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../db/database.ts';
import { type Idempotency, once } from '../db/idempotency.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { type PageRequest, toPage } from '../lib/page.ts';
import type { TranscriptCreate } from './schema.ts';
import type { Sessions } from './sessions.ts';
import { deleteOldTranscripts, deleteTranscriptsOf, insertTranscript, listTranscripts } from './transcript-store.ts';

export type Transcript = Selectable<Tables['transcripts']>;
export type Transcripts = ReturnType<typeof createTranscripts>;

/** A worker that flushes late still finds its session open for a day. */
const ACCEPTED_AFTER_END_MS = 24 * 60 * 60 * 1000;

export function createTranscripts({ db, clock, sessions }: { db: Database['db']; clock: Clock; sessions: Sessions }) {
  /** Adds a transcript to the session of a room. Throws `not_found`, or `session_ended` a day after its end. */
  async function add(
    room_name: string,
    input: Static<typeof TranscriptCreate>,
    caller: string | null,
    idempotency: Idempotency | null,
  ): Promise<Transcript> {
    const session = await sessions.getByRoom(room_name, caller);
    const now = clock.now();
    if (session.ended_at && now.getTime() - session.ended_at.getTime() > ACCEPTED_AFTER_END_MS)
      throw new AppError('session_ended');
    const { answer } = await once(db, session.user_id, idempotency, async (trx) => {
      if ((await sessions.lock(trx, session.id)).room_name !== room_name) throw new AppError('not_found');
      return insertTranscript(trx, {
        id: newId(),
        session_id: session.id,
        speaker: input.speaker ?? 'USER',
        content: input.content,
        timestamp: input.timestamp ? new Date(input.timestamp) : now,
      });
    });
    return answer;
  }

  /** In the order they were added. */
  async function list(session_id: string, page: PageRequest, caller: string | null) {
    const session = await sessions.get(session_id, caller);
    return toPage(await listTranscripts(db, session.id, page), page.limit, (row) => row.id);
  }

  return {
    add,
    list,
    erase: deleteTranscriptsOf,
    /** Deletes up to `limit` of those made before the id `before`; tells how many. */
    deleteOlder: (before: string, limit: number) => deleteOldTranscripts(db, before, limit),
  };
}
