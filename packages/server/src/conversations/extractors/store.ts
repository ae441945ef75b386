import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

/** An extractor at one version; its content is JSON. */
export type ExtractorRow = Pick<
  Selectable<Tables['extractors']>,
  'id' | 'user_id' | 'name' | 'version' | 'created_at'
> &
  Pick<Selectable<Tables['extractor_versions']>, 'content'> & { newest: number; updated_at: Date };

/** Blocks changes of the user's extractors until the transaction ends. */
export async function lockExtractors(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`extractors of ${user_id}`}, 0))`.execute(trx);
}

function versions(db: Db) {
  return db
    .selectFrom('extractors')
    .innerJoin('extractor_versions as content', 'content.extractor_id', 'extractors.id')
    .select(['extractors.id', 'extractors.user_id', 'extractors.name', 'content.version', 'extractors.created_at'])
    .select(['content.content', 'extractors.version as newest', 'content.created_at as updated_at'])
    .where('extractors.deleted_at', 'is', null);
}

export function findExtractor(db: Db, id: string, version: number | null): Promise<ExtractorRow | undefined> {
  const query = versions(db).where('extractors.id', '=', id);
  return (
    version === null
      ? query.whereRef('content.version', '=', 'extractors.version')
      : query.where('content.version', '=', version)
  ).executeTakeFirst();
}

/** The newest version. */
export function findExtractorByName(db: Db, user_id: string, name: string): Promise<ExtractorRow | undefined> {
  const query = versions(db).where('extractors.user_id', '=', user_id).where('extractors.name', '=', name);
  return query.whereRef('content.version', '=', 'extractors.version').executeTakeFirst();
}

/** Some versions of a user's extractors, by name and number; of the newest where the number is null. */
export async function findVersionsOf(
  db: Db,
  user_id: string,
  wanted: { name: string; version: number | null }[],
): Promise<ExtractorRow[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<ExtractorRow>`
    select extractors.id, extractors.user_id, name, content.version, extractors.created_at, content.content,
      extractors.version as newest, content.created_at as updated_at
    from unnest(${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ version }) => version)}::integer[])
      with ordinality as wanted (wanted_name, wanted_version, place)
    join extractors on user_id = ${user_id} and name = wanted_name and deleted_at is null
    join extractor_versions as content
      on content.extractor_id = extractors.id and content.version = coalesce(wanted_version, extractors.version)
    order by place`.execute(db);
  return rows;
}

export async function countExtractors(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('extractors')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Newest first; up to `limit` plus one. */
export function listExtractors(db: Db, user_id: string, { limit, after }: PageRequest): Promise<ExtractorRow[]> {
  const query = versions(db)
    .where('extractors.user_id', '=', user_id)
    .whereRef('content.version', '=', 'extractors.version');
  const rest = after === null ? query : query.where('extractors.id', '<', after);
  return rest
    .orderBy('extractors.id', 'desc')
    .limit(limit + 1)
    .execute();
}

interface NewVersion {
  /** The id of a new extractor; one of this name keeps its own. */
  id: string;
  user_id: string;
  name: string;
  content: string;
  at: Date;
}

/** Adds an extractor, or the next version of the one with its name, also of a deleted one; the user's are locked. */
export async function addVersion(trx: Db, { id, user_id, name, content, at }: NewVersion): Promise<void> {
  const { id: extractor_id, version } = await trx
    .insertInto('extractors')
    .values({ id, user_id, name, version: 1, created_at: at, updated_at: at, deleted_at: null })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'name']).doUpdateSet({
        version: sql<number>`extractors.version + 1`,
        updated_at: at,
        deleted_at: null,
      }),
    )
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('extractor_versions')
    .values({ extractor_id, version, user_id, content, created_at: at })
    .execute();
}

/** Deletes all versions; the row stays, and counts on if there is another one of the name. */
export async function deleteExtractor(trx: Db, id: string, deleted_at: Date): Promise<void> {
  await trx.deleteFrom('extractor_versions').where('extractor_id', '=', id).execute();
  await trx.updateTable('extractors').set({ deleted_at }).where('id', '=', id).execute();
}

export async function deleteVersionsUpTo(trx: Db, extractor_id: string, version: number): Promise<void> {
  const old = trx.deleteFrom('extractor_versions').where('extractor_id', '=', extractor_id);
  await old.where('version', '<=', version).execute();
}

export async function deleteExtractorsOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('extractor_versions').where('user_id', '=', user_id).execute();
  await trx.deleteFrom('extractors').where('user_id', '=', user_id).execute();
}
