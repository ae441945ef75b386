import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type DocumentRow = Selectable<Tables['evidence_documents']>;
/** The call, or the decision, that a document is about. */
export type About = { call_id: string; decision_id: null } | { call_id: null; decision_id: string };
export type KeyRow = Selectable<Tables['evidence_keys']>;

/** Newest first. */
export function listKeys(db: Db): Promise<KeyRow[]> {
  return db.selectFrom('evidence_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
}

/** Makes other processes wait, until the transaction ends, before they make a key. */
export async function lockKeys(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('keys of evidence', 0))`.execute(trx);
}

export async function addKey(trx: Db, key: KeyRow): Promise<void> {
  await trx.insertInto('evidence_keys').values(key).execute();
}

/** Replaces the encrypted form `before` of a key. */
export async function resealKey(db: Db, id: string, before: string, secret: string): Promise<void> {
  await db.updateTable('evidence_keys').set({ secret }).where('id', '=', id).where('secret', '=', before).execute();
}

/** Serializes the documents of a user, until the transaction ends. */
export async function lockChain(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`evidence of ${user_id}`}, 0))`.execute(trx);
}

/** The newest document of the user. */
export function lastOfUser(trx: Db, user_id: string): Promise<DocumentRow | undefined> {
  const documents = trx.selectFrom('evidence_documents').selectAll().where('user_id', '=', user_id);
  return documents.orderBy('position', 'desc').limit(1).executeTakeFirst();
}

/** The newest document about a call or a decision. */
export function lastAbout(trx: Db, { call_id, decision_id }: About): Promise<DocumentRow | undefined> {
  const all = trx.selectFrom('evidence_documents').selectAll();
  const documents = call_id === null ? all.where('decision_id', '=', decision_id) : all.where('call_id', '=', call_id);
  return documents.orderBy('position', 'desc').limit(1).executeTakeFirst();
}

export async function addDocument(trx: Db, row: DocumentRow): Promise<void> {
  await trx.insertInto('evidence_documents').values(row).execute();
}

export async function deleteDocuments(trx: Db, call_ids: string[]): Promise<void> {
  if (call_ids.length > 0) await trx.deleteFrom('evidence_documents').where('call_id', 'in', call_ids).execute();
}

export async function deleteDocumentsOfUser(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('evidence_documents').where('user_id', '=', user_id).execute();
}

/** The recordings of a call, in the order in which they were begun. */
export function recordingsOf(db: Db, session_id: string) {
  return db
    .selectFrom('recordings')
    .select(['id as recording_id', 'state', 'channels', 'started_at', 'sha256', 'created_at as asked_at'])
    .where('session_id', '=', session_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The words of a transcript; null once they are deleted. */
export async function wordsOf(db: Db, session_id: string, id: string): Promise<string | null> {
  const query = db.selectFrom('transcripts').select('content').where('id', '=', id);
  return (await query.where('session_id', '=', session_id).executeTakeFirst())?.content ?? null;
}
