import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type Agent, COLUMNS } from './store.ts';

/** An agent as calls are placed with it. */
export type Callable = Agent & {
  /** By number, the versions besides that of the row which a call may get; null if there are none. */
  contents: Record<string, { name: string; config: JsonObject }> | null;
};

/**
 * The columns, with the content of the agent's arms and of other versions that were asked for. Versions are only looked
 * up where there are any, so that a call of an agent without a split costs nothing more.
 */
const callable = (versions: number[]) => sql`
  ${sql.join(COLUMNS.map((column) => sql.ref(column)))},
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
