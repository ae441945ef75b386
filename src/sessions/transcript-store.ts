import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../db/tables.ts';
import type { PageRequest } from '../lib/page.ts';

type Transcript = Selectable<Tables['transcripts']>;

export function insertTranscript(db: Db, transcript: Insertable<Tables['transcripts']>): Promise<Transcript> {
  return db.insertInto('transcripts').values(transcript).returningAll().executeTakeFirstOrThrow();
}

/** Deletes up to `limit` transcripts made before the id `before`; tells how many. */
export async function deleteOldTranscripts(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('transcripts').select('id').where('id', '<', before).orderBy('id').limit(limit);
  const result = await db.deleteFrom('transcripts').where('id', 'in', old).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function deleteTranscriptsOf(db: Db, session_ids: string[]): Promise<void> {
  if (session_ids.length > 0) await db.deleteFrom('transcripts').where('session_id', 'in', session_ids).execute();
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
