import type { Insertable, Selectable } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type DraftRow = Selectable<Tables['agent_drafts']>;

export function findDraft(db: Db, agent_id: string): Promise<DraftRow | undefined> {
  return db.selectFrom('agent_drafts').selectAll().where('agent_id', '=', agent_id).executeTakeFirst();
}

/** Adds or replaces a draft; what it was begun from stays. */
export function putDraft(trx: Db, draft: Insertable<Tables['agent_drafts']>): Promise<DraftRow> {
  const { agent_id: _id, user_id: _user, based_on: _version, ...change } = draft;
  return trx
    .insertInto('agent_drafts')
    .values(draft)
    .onConflict((conflict) => conflict.column('agent_id').doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteDraft(trx: Db, agent_id: string): Promise<void> {
  await trx.deleteFrom('agent_drafts').where('agent_id', '=', agent_id).execute();
}

/** Deletes the draft of an agent if it says what a version says. */
export async function deleteDraftOf(trx: Db, agent_id: string, version: number): Promise<void> {
  await trx
    .deleteFrom('agent_drafts')
    .where('agent_id', '=', agent_id)
    .where('hash', '=', (query) =>
      query
        .selectFrom('agent_versions')
        .select('hash')
        .where('agent_versions.agent_id', '=', agent_id)
        .where('number', '=', version),
    )
    .execute();
}

/** Deletes a user's drafts, and replaces its name in those of others. */
export async function eraseDrafts(trx: Db, user_id: string, pseudonym: string): Promise<void> {
  await trx.deleteFrom('agent_drafts').where('user_id', '=', user_id).execute();
  await trx
    .updateTable('agent_drafts')
    .set({ updated_by: pseudonym, updated_by_user: null })
    .where('updated_by_user', '=', user_id)
    .execute();
}
