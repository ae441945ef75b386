import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import type { PageRequest } from '../lib/page.ts';

type Transcript = Selectable<Tables['transcripts']>;

export function insertTranscript(db: Db, transcript: Insertable<Tables['transcripts']>): Promise<Transcript> {
  return db.insertInto('transcripts').values(transcript).returningAll().executeTakeFirstOrThrow();
}

/** In the order they were added; one row more than `limit`, if there is one. */
export function listTranscripts(db: Db, session_id: string, page: PageRequest): Promise<Transcript[]> {
  const query = db
    .selectFrom('transcripts')
    .selectAll()
    .where('session_id', '=', session_id)
    .orderBy('id')
    .limit(page.limit + 1);
  return (page.after === null ? query : query.where('id', '>', page.after)).execute();
}
