import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

const COLUMNS = ['id', 'user_id', 'name', 'scenario_ids', 'created_at', 'changed_at'] as const;
export type SuiteRow = Pick<Selectable<Tables['suites']>, (typeof COLUMNS)[number]>;

export async function countSuites(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('suites')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return count;
}

export function findSuite(db: Db, id: string): Promise<SuiteRow | undefined> {
  return db.selectFrom('suites').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export function findSuiteByName(db: Db, user_id: string, name: string): Promise<SuiteRow | undefined> {
  const query = db.selectFrom('suites').select(COLUMNS).where('user_id', '=', user_id);
  return query.where('name', '=', name).executeTakeFirst();
}

/** Newest first; up to `limit` plus one. */
export function listSuites(db: Db, user_id: string, { limit, after }: PageRequest): Promise<SuiteRow[]> {
  const query = db.selectFrom('suites').select(COLUMNS).where('user_id', '=', user_id);
  const rest = after === null ? query : query.where('id', '<', after);
  return rest
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Adds a suite, or replaces the scenarios of the one with its name, which with the same ones has not changed. */
export function putSuite(trx: Db, suite: Insertable<Tables['suites']>): Promise<SuiteRow> {
  const { scenario_ids } = suite;
  const changed_at = sql<Date>`case when suites.scenario_ids = excluded.scenario_ids then suites.changed_at
    else excluded.changed_at end`;
  return trx
    .insertInto('suites')
    .values(suite)
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ scenario_ids, changed_at }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Marks the suites of a user with this scenario as changed. */
export async function touchSuites(trx: Db, user_id: string, scenario_id: string, changed_at: Date): Promise<void> {
  await sql`update suites set changed_at = ${changed_at.toISOString()}::timestamptz
    where user_id = ${user_id} and scenario_ids @> array[${scenario_id}::uuid]`.execute(trx);
}

/** Takes a scenario out of the suites of a user. */
export async function removeFromSuites(trx: Db, user_id: string, scenario_id: string, changed_at: Date): Promise<void> {
  await sql`update suites set changed_at = ${changed_at.toISOString()}::timestamptz,
      scenario_ids = array_remove(scenario_ids, ${scenario_id}::uuid)
    where user_id = ${user_id} and scenario_ids @> array[${scenario_id}::uuid]`.execute(trx);
}

/** The conversations that a test run of a suite holds, if every scenario has as many runs as it asks for. */
export async function countConversations(db: Db, { user_id, scenario_ids }: SuiteRow): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(coalesce((content::json ->> 'runs')::integer, 1)), 0)::integer as count from scenarios
    where id = any(${scenario_ids}::uuid[]) and user_id = ${user_id}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function deleteSuite(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('suites').where('id', '=', id).execute();
}

export async function deleteSuitesOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('suites').where('user_id', '=', user_id).execute();
}
