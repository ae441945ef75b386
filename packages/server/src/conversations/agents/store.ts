import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isHeld } from '../../db/legal-holds.ts';
import { pageWithinBudget } from '../../db/page-budget.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';

type AgentRow = Selectable<Tables['agents']>;

/** All columns except those that may be large. */
const SMALL_COLUMNS = [
  'id',
  'name',
  'type',
  'is_active',
  'user_id',
  'created_at',
  'updated_at',
  'phone_number',
  'carrier_sid',
  'callback_url',
  'version',
  'arms',
  'sticky_by',
  'publishing',
  'external_key',
  'legal_hold',
] as const;
const COLUMNS = [...SMALL_COLUMNS, 'description', 'config'] as const;

/** A list up to this many agents, each up to this size, is read at once. */
export const FEW = 64;
export const SMALL_BYTES = 16 * 1024;
/** Agents that a part of a longer one has at most, and the bytes of those before its last. */
const PART = 500;
const PART_BYTES = 256 * 1024;

/** A user that has agents, and whether everything of it is under a legal hold. */
type ListedUser = { user_id: string; legal_hold: boolean };

export type Agent = Pick<AgentRow, (typeof COLUMNS)[number]>;

export function insertAgent(db: Db, agent: Insertable<Tables['agents']>): Promise<Agent> {
  return db.insertInto('agents').values(agent).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** An agent of any user that is not deleted. */
export function findAgent(db: Db, id: string): Promise<Agent | undefined> {
  return db
    .selectFrom('agents')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** A user's agent by its external key. */
export function findByExternalKey(db: Db, user_id: string, external_key: string): Promise<Agent | undefined> {
  return db
    .selectFrom('agents')
    .select(COLUMNS)
    .where('user_id', '=', user_id)
    .where('external_key', '=', external_key)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export function lockAgent(db: Db, id: string): Promise<Agent | undefined> {
  return db
    .selectFrom('agents')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The owners of the agents with these numbers, by number. */
export async function numberHolders(db: Db, phone_numbers: string[]): Promise<Map<string, string>> {
  if (phone_numbers.length === 0) return new Map();
  const query = db.selectFrom('agents').select(['phone_number', 'user_id']);
  const rows = await query.where(sql<boolean>`phone_number = any(${phone_numbers}::text[])`).execute();
  return new Map(rows.map(({ phone_number, user_id }) => [phone_number ?? '', user_id]));
}

/** The number of agents of a user, and the bytes of their names, descriptions and configurations. */
export async function measureAgents(db: Db, user_id: string): Promise<{ agents: number; bytes: number }> {
  return db
    .selectFrom('agents')
    .select((row) => [
      row.fn.countAll<number>().as('agents'),
      sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'),
    ])
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** Blocks other additions to the user's agents until the transaction ends. */
export async function lockList(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agents of ${user_id}`}, 0))`.execute(trx);
}

/**
 * A user's agents, newest first, where they are few and none is large; null otherwise. No more than that is read of
 * them, a mebibyte at most, and by the statement that a list of few agents needs anyway.
 */
export async function listFewAgents(db: Db, user_id: string): Promise<Agent[] | null> {
  const ifSmall = <T extends 'description' | 'config'>(column: T) =>
    sql<Agent[T] | null>`case when size_bytes <= ${sql.lit(SMALL_BYTES)} then ${sql.ref(column)} end`.as(column);
  const agents = await db
    .selectFrom('agents')
    .select([...SMALL_COLUMNS, ifSmall('description'), ifSmall('config')])
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(FEW + 1)
    .execute();
  return agents.length > FEW || agents.some(({ config }) => config === null) ? null : (agents as Agent[]);
}

/** Agents after one of them, as many as a part has room for; `found` is above their number when there are more. */
export function listAgents(db: Db, user_id: string, after: string | null): Promise<(Agent & { found: number })[]> {
  const query = db
    .selectFrom('agents')
    .select([...COLUMNS, 'size_bytes'])
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc');
  return pageWithinBudget(db, after === null ? query : query.where('id', '<', after), {
    limit: PART,
    order: sql`id desc`,
    bytes: sql<number>`size_bytes`,
    budget: PART_BYTES,
  });
}

/** The user's agents that have phone numbers. */
export function listNumbered(db: Db, user_id: string): Promise<Pick<AgentRow, 'id'>[]> {
  const query = db.selectFrom('agents').select('id').where('user_id', '=', user_id);
  return query.where('deleted_at', 'is', null).where('phone_number', 'is not', null).execute();
}

export function updateAgent(db: Db, id: string, change: Updateable<Tables['agents']>): Promise<Agent> {
  return db.updateTable('agents').set(change).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** The callback URL of the agent's calls; null: none. */
export async function findCallbackUrl(db: Db, id: string): Promise<string | null> {
  const query = db.selectFrom('agents').select('callback_url').where('id', '=', id);
  return (await query.executeTakeFirst())?.callback_url ?? null;
}

/** Names of the agents that are not deleted. */
export async function agentNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function stopAgents(db: Db, user_id: string, updated_at: Date): Promise<void> {
  await db.updateTable('agents').set({ is_active: false, updated_at }).where('user_id', '=', user_id).execute();
}

/** A user's agents, including deleted ones, locked until the transaction ends. */
export function lockAgentsOf(trx: Db, user_id: string): Promise<Pick<AgentRow, 'id' | 'phone_number'>[]> {
  return trx
    .selectFrom('agents')
    .select(['id', 'phone_number'])
    .where('user_id', '=', user_id)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Anonymizes a user's agents, including deleted ones. */
export async function eraseAgents(db: Db, user_id: string, pseudonym: string, at: Date): Promise<void> {
  const erased = {
    name: 'erased',
    description: null,
    config: '{}',
    callback_url: null,
    external_key: null,
    is_active: false,
    updated_at: at,
  };
  await db
    .updateTable('agents')
    .set((row) => ({ ...erased, user_id: pseudonym, deleted_at: row.fn.coalesce('deleted_at', row.val(at)) }))
    .where('user_id', '=', user_id)
    .execute();
}

export async function agentOwners(db: Db, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('agents').select(['id', 'user_id']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.user_id]));
}

/**
 * Users with agents, in the order of their ids, after `after` and with `prefix`; up to `limit` plus one. A loose
 * index scan: one index access per user, however many agents they have.
 */
export async function listUsers(db: Db, prefix: string, after: string | null, limit: number): Promise<ListedUser[]> {
  const id = sql`user_id collate "C"`;
  const isShown = sql`deleted_at is null and ${id} >= ${prefix} and ${id} < ${`${prefix}\u{10FFFF}`}`;
  const { rows } = await sql<ListedUser>`
    with recursive users (user_id) as (
      (select user_id from agents where ${id} > ${after ?? ''} and ${isShown} order by ${id} limit 1)
      union all
      select next.user_id from users cross join lateral (
        select agents.user_id from agents
        where agents.user_id collate "C" > users.user_id and deleted_at is null
          and agents.user_id collate "C" < ${`${prefix}\u{10FFFF}`} order by agents.user_id collate "C" limit 1
      ) as next
    )
    select user_id, ${isHeld('users.user_id', null)} as legal_hold from users limit ${limit + 1}`.execute(db);
  return rows;
}

/** An agent as calls are placed with it. */
export type Callable = Agent & {
  /** By number, the versions besides that of the row which a call may get; null if there are none. */
  contents: Record<string, { name: string; config: JsonObject }> | null;
  /** The rules of its user about what is not kept; null without any. */
  user_privacy: JsonObject | null;
};

/**
 * The columns, with the content of the agent's arms and of other versions that were asked for. Versions are only looked
 * up where there are any, so that a call of an agent without a split costs nothing more.
 */
const callable = (versions: number[]) => sql`
  ${sql.join(COLUMNS.map((column) => sql.ref(column)))},
  (select rules from user_privacy where user_privacy.user_id = agents.user_id) as user_privacy,
  case when arms is not null or ${versions.length > 0} then agent_contents(id, arms, ${versions}::integer[]) end
    as contents`;

/**
 * Existing agents of any user, whose changes wait until the transaction ends; the lock is shared. Agents that are
 * being changed are skipped unless `isPatient`.
 */
export async function shareAgents(db: Db, ids: string[], versions: number[], isPatient: boolean): Promise<Callable[]> {
  const { rows } = await sql<Callable>`
    -- prepared: share_agents_${sql.raw(isPatient ? 'patiently' : 'unlocked')}
    select ${callable(versions)} from agents
    where id = any(${ids}::uuid[]) and deleted_at is null
    order by id for share ${sql.raw(isPatient ? '' : 'skip locked')}`.execute(db);
  return rows;
}

/** Which of these agents are not deleted. */
export async function listExisting(db: Db, ids: string[]): Promise<Set<string>> {
  const query = db.selectFrom('agents').select('id').where(sql<boolean>`id = any(${ids}::uuid[])`);
  return new Set((await query.where('deleted_at', 'is', null).execute()).map(({ id }) => id));
}

/** An agent of any user that is not deleted, with the content of one more version. */
export async function findCallable(db: Db, id: string, versions: number[]): Promise<Callable | undefined> {
  const { rows } = await sql<Callable>`
    select ${callable(versions)} from agents where id = ${id}::uuid and deleted_at is null`.execute(db);
  return rows[0];
}

export async function findAgentByNumber(db: Db, phone_number: string): Promise<Callable | undefined> {
  const { rows } = await sql<Callable>`
    select ${callable([])} from agents where phone_number = ${phone_number} and deleted_at is null`.execute(db);
  return rows[0];
}

/** The newest versions of these extractors of a user, and the oldest that are kept. */
export async function newestExtractors(
  db: Db,
  user_id: string,
  names: string[],
): Promise<Map<string, { newest: number; oldest: number }>> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<{ name: string; newest: number; oldest: number }>`
    select name, version as newest, (
      select min(content.version) from extractor_versions as content where content.extractor_id = extractors.id
    ) as oldest
    from extractors where user_id = ${user_id} and name = any(${names}::text[]) and deleted_at is null`.execute(db);
  return new Map(rows.map(({ name, ...versions }) => [name, versions]));
}
