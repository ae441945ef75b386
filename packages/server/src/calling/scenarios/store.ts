import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../../db/tables.ts';
import type { PageRequest } from '../../lib/page.ts';

export type ScenarioRow = Selectable<Tables['scenarios']>;
const SUMMARY = ['id', 'user_id', 'name', 'created_at', 'updated_at'] as const;
export type ScenarioSummary = Pick<ScenarioRow, (typeof SUMMARY)[number]>;

/** Blocks changes of the user's scenarios and suites until the transaction ends. */
export async function lockTests(trx: Db, user_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scenarios of ${user_id}`}, 0))`.execute(trx);
}

export async function countScenarios(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('scenarios')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return count;
}

export function findScenario(db: Db, id: string): Promise<ScenarioRow | undefined> {
  return db.selectFrom('scenarios').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findScenarioByName(db: Db, user_id: string, name: string): Promise<ScenarioRow | undefined> {
  const query = db.selectFrom('scenarios').selectAll().where('user_id', '=', user_id);
  return query.where('name', '=', name).executeTakeFirst();
}

/** Those of these scenarios that the user has, in the given order. */
export async function findScenariosOf(db: Db, user_id: string, ids: string[]): Promise<ScenarioRow[]> {
  if (ids.length === 0) return [];
  const query = db.selectFrom('scenarios').selectAll().where('user_id', '=', user_id).where('id', 'in', ids);
  const found = new Map((await query.execute()).map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Newest first; up to `limit` plus one. */
export function listScenarios(db: Db, user_id: string, { limit, after }: PageRequest): Promise<ScenarioSummary[]> {
  const query = db.selectFrom('scenarios').select(SUMMARY).where('user_id', '=', user_id);
  const rest = after === null ? query : query.where('id', '<', after);
  return rest
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Adds a scenario, or replaces the text of the one with its name. */
export function putScenario(trx: Db, scenario: Insertable<Tables['scenarios']>): Promise<ScenarioRow> {
  const { text, content, updated_at } = scenario;
  return trx
    .insertInto('scenarios')
    .values(scenario)
    .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ text, content, updated_at }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteScenario(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom('scenarios').where('id', '=', id).execute();
}

export async function deleteScenariosOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('scenarios').where('user_id', '=', user_id).execute();
}
