import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';

export type Assignment = Selectable<Tables['number_assignments']>;

export async function hasAssignment(db: Db, agent_ids: string[]): Promise<boolean> {
  if (agent_ids.length === 0) return false;
  const found = await db
    .selectFrom('number_assignments')
    .select('agent_id')
    .where('agent_id', 'in', agent_ids)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Blocks other claims for the user until the transaction ends; returns how many numbers its agents have. Reads the
 * agents too.
 */
export async function lockNumbersOf(trx: Db, user_id: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`numbers of ${user_id}`}, 0))`.execute(trx);
  const { count } = await trx
    .selectFrom('number_assignments')
    .innerJoin('agents', 'agents.id', 'number_assignments.agent_id')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('agents.user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Claims the number for an agent; undefined if either has an assignment. */
export function insertAssignment(
  db: Db,
  assignment: Insertable<Tables['number_assignments']>,
): Promise<Assignment | undefined> {
  return db
    .insertInto('number_assignments')
    .values(assignment)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Moves the agent's assignment from one state to another; undefined if it is not in the first. */
export function moveAssignment(
  db: Db,
  agent_id: string,
  from: Assignment['state'],
  to: Assignment['state'],
  updated_at: Date,
): Promise<Assignment | undefined> {
  return db
    .updateTable('number_assignments')
    .set({ state: to, updated_at })
    .where('agent_id', '=', agent_id)
    .where('state', '=', from)
    .returningAll()
    .executeTakeFirst();
}

export async function setPreviousRouting(db: Db, agent_id: string, previous_routing: string): Promise<void> {
  await db.updateTable('number_assignments').set({ previous_routing }).where('agent_id', '=', agent_id).execute();
}

export async function deleteAssignment(db: Db, agent_id: string): Promise<void> {
  await db.deleteFrom('number_assignments').where('agent_id', '=', agent_id).execute();
}

export function findAssignment(db: Db, agent_id: string): Promise<Assignment | undefined> {
  return db.selectFrom('number_assignments').selectAll().where('agent_id', '=', agent_id).executeTakeFirst();
}

export function findByNumber(db: Db, phone_number: string): Promise<Assignment | undefined> {
  return db.selectFrom('number_assignments').selectAll().where('phone_number', '=', phone_number).executeTakeFirst();
}

/** Assignments and releases that began before `before` and have not finished: their process is gone. */
export function listUnfinished(db: Db, before: Date): Promise<Assignment[]> {
  return db
    .selectFrom('number_assignments')
    .selectAll()
    .where('state', '!=', 'assigned')
    .where('updated_at', '<', before)
    .execute();
}

/** Takes an assignment as it was listed, so that it is not listed for a while; undefined if it has changed since. */
export function claimUnfinished(db: Db, listed: Assignment, now: Date): Promise<Assignment | undefined> {
  return db
    .updateTable('number_assignments')
    .set({ updated_at: now })
    .where('agent_id', '=', listed.agent_id)
    .where('state', '=', listed.state)
    .where('updated_at', '=', listed.updated_at)
    .returningAll()
    .executeTakeFirst();
}

/** Agent and user by number, for all assigned numbers. */
export async function listAssigned(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('number_assignments')
    .select(['phone_number', 'agent_id'])
    .where('state', '=', 'assigned')
    .execute();
  return new Map(rows.map((row) => [row.phone_number, row.agent_id]));
}
