import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { PageRequest } from '../../lib/page.ts';
import type { Content } from '../agents/agents.ts';

type Row = Selectable<Tables['agent_versions']>;

/** An agent, as far as its versions are concerned. */
export interface Owner {
  id: string;
  user_id: string;
}

/** The maker of a version or a release, and the time. */
export interface Made {
  created_by: string;
  created_by_user: string | null;
  created_at: Date;
}

const SUMMARY = ['number', 'hash', 'name', 'note', 'created_by', 'created_at', 'released_at'] as const;
export type VersionSummary = Pick<Row, (typeof SUMMARY)[number]>;
export type Version = VersionSummary & Content;

/**
 * Keeps content as a version, under the lock of its agent; content that there is a version of already is that version.
 * Returns the number, and whether it is new.
 */
export async function keepVersion(
  trx: Db,
  { id, user_id }: Owner,
  { name, description, type, config }: Content,
  made: Made,
): Promise<{ number: number; is_new: boolean }> {
  const { rows } = await sql<{ number: number; is_new: boolean }>`
    with content as (
      select ${name}::text as name, ${description}::text as description, ${type}::text as type,
        ${JSON.stringify(config)}::text::jsonb as config
    ), added as (
      insert into agent_versions (agent_id, number, user_id, name, description, type, config, created_by, created_by_user, created_at)
      select ${id}::uuid, coalesce((select max(number) from agent_versions where agent_id = ${id}::uuid), 0) + 1, ${user_id},
        name, description, type, config, ${made.created_by}, ${made.created_by_user}, ${made.created_at}::timestamptz
      from content on conflict (agent_id, hash) do nothing
      returning number
    )
    select number, true as is_new from added
    union all
    select number, false from agent_versions
    where agent_id = ${id}::uuid and hash = (select agent_content_hash(name, description, type, config) from content)`.execute(
    trx,
  );
  const [kept] = rows;
  if (!kept) throw new Error('no version was kept');
  return kept;
}

/** Adds a note to a version that has none. */
export async function addNote(trx: Db, agent_id: string, number: number, note: string): Promise<void> {
  await trx
    .updateTable('agent_versions')
    .set({ note })
    .where('agent_id', '=', agent_id)
    .where('number', '=', number)
    .where('note', 'is', null)
    .execute();
}

export async function markReleased(trx: Db, agent_id: string, numbers: number[], released_at: Date): Promise<void> {
  await trx
    .updateTable('agent_versions')
    .set({ released_at })
    .where('agent_id', '=', agent_id)
    .where('number', 'in', numbers)
    .where('released_at', 'is', null)
    .execute();
}

/** Deletes versions up to a number, except those that calls get. */
export async function deleteVersionsUpTo(trx: Db, agent_id: string, number: number, except: number[]): Promise<void> {
  await trx
    .deleteFrom('agent_versions')
    .where('agent_id', '=', agent_id)
    .where('number', '<=', number)
    .where('number', 'not in', except)
    .execute();
}

export async function findVersions(db: Db, agent_id: string, numbers: number[]): Promise<Map<number, Version>> {
  const query = db.selectFrom('agent_versions').select([...SUMMARY, 'description', 'type', 'config']);
  const rows = await query.where('agent_id', '=', agent_id).where('number', 'in', numbers).execute();
  return new Map(rows.map((row) => [row.number, row]));
}

/** The configurations of versions; unknown ones are omitted. */
export async function readConfigs(
  db: Db,
  versions: { agent_id: string; agent_version: number }[],
): Promise<{ agent_id: string; agent_version: number; config: JsonObject }[]> {
  const ids = versions.map(({ agent_id }) => agent_id);
  const numbers = versions.map(({ agent_version }) => agent_version);
  const { rows } = await sql<{ agent_id: string; agent_version: number; config: JsonObject }>`
    -- prepared: read_version_configs
    select agent_id, number as agent_version, config
    from unnest(${ids}::uuid[], ${numbers}::integer[]) as wanted (id, version)
    join agent_versions on agent_id = wanted.id and number = wanted.version`.execute(db);
  return rows;
}

/** Newest first, without their content; up to `limit` plus one. */
export function listVersions(db: Db, agent_id: string, { limit, after }: PageRequest): Promise<VersionSummary[]> {
  let query = db.selectFrom('agent_versions').select(SUMMARY).where('agent_id', '=', agent_id);
  if (after !== null) query = query.where('number', '<', Number(after));
  return query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Deletes all versions of an agent. */
export async function deleteVersions(trx: Db, agent_id: string): Promise<void> {
  await trx.deleteFrom('agent_versions').where('agent_id', '=', agent_id).execute();
}

/** Deletes a user's versions, and replaces its name in those of others. */
export async function eraseVersions(trx: Db, user_id: string, pseudonym: string): Promise<void> {
  await trx.deleteFrom('agent_versions').where('user_id', '=', user_id).execute();
  await trx
    .updateTable('agent_versions')
    .set({ created_by: pseudonym, created_by_user: null })
    .where('created_by_user', '=', user_id)
    .execute();
}
