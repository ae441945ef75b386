import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import type { PageRequest } from '../../lib/page.ts';

const COLUMNS = ['number', 'arms', 'sticky_by', 'previous', 'repeats', 'gate', 'created_by', 'created_at'] as const;
export type Release = Pick<Selectable<Tables['agent_releases']>, (typeof COLUMNS)[number]>;

/** Adds a release under the lock of its agent. By default a rollback of it returns to the release before it. */
export async function addRelease(
  trx: Db,
  release: Omit<Insertable<Tables['agent_releases']>, 'number' | 'previous'> & { previous?: number | null },
): Promise<Release> {
  const newest = sql<
    number | null
  >`(select max(number) from agent_releases where agent_id = ${release.agent_id}::uuid)`;
  return trx
    .insertInto('agent_releases')
    .values({ previous: newest, ...release, number: sql`coalesce(${newest}, 0) + 1` })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function deleteReleasesUpTo(trx: Db, agent_id: string, number: number): Promise<void> {
  await trx.deleteFrom('agent_releases').where('agent_id', '=', agent_id).where('number', '<=', number).execute();
}

/** The newest, which is the one that calls get. Throws `not_found` if the agent was deleted meanwhile. */
export function findCurrent(db: Db, agent_id: string): Promise<Release> {
  const query = db.selectFrom('agent_releases').select(COLUMNS).where('agent_id', '=', agent_id);
  return query
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(() => new AppError('not_found'));
}

export function findRelease(db: Db, agent_id: string, number: number): Promise<Release | undefined> {
  const query = db.selectFrom('agent_releases').select(COLUMNS).where('agent_id', '=', agent_id);
  return query.where('number', '=', number).executeTakeFirst();
}

/** Newest first; up to `limit` plus one. */
export function listReleases(db: Db, agent_id: string, { limit, after }: PageRequest): Promise<Release[]> {
  let query = db.selectFrom('agent_releases').select(COLUMNS).where('agent_id', '=', agent_id);
  if (after !== null) query = query.where('number', '<', Number(after));
  return query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Deletes all releases of an agent. */
export async function deleteReleases(trx: Db, agent_id: string): Promise<void> {
  await trx.deleteFrom('agent_releases').where('agent_id', '=', agent_id).execute();
}

/** Deletes a user's releases, and replaces its name in those of others. */
export async function eraseReleases(trx: Db, user_id: string, pseudonym: string): Promise<void> {
  await trx.deleteFrom('agent_releases').where('user_id', '=', user_id).execute();
  await trx
    .updateTable('agent_releases')
    .set({ created_by: pseudonym, created_by_user: null })
    .where('created_by_user', '=', user_id)
    .execute();
}
