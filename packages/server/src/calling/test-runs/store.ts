import { type Insertable, type Selectable, sql } from 'kysely';
import { pageWithinBudget } from '../../db/page-budget.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { TestStatus } from '../../db/test-tables.ts';
import type { PageRequest } from '../../lib/page.ts';

export type RunRow = Selectable<Tables['test_runs']>;
const SHOWN = [
  'id',
  'scenario_id',
  'name',
  'critical',
  'runs',
  'status',
  'passed',
  'failed',
  'invalid',
  'error',
  'conversations',
  'problems',
  'is_complete',
  'started_at',
  'ended_at',
] as const;
export type ResultRow = Pick<Selectable<Tables['test_results']>, (typeof SHOWN)[number]>;

const OPEN: TestStatus[] = ['queued', 'running'];

/** Adds a test run, and its results, which are open. */
export async function insertRun(
  trx: Db,
  run: Insertable<Tables['test_runs']>,
  results: Insertable<Tables['test_results']>[],
): Promise<void> {
  await trx.insertInto('test_runs').values(run).execute();
  await trx.insertInto('test_results').values(results).execute();
}

export async function countOpenRuns(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('test_runs')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('ended_at', 'is', null)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow();
  return count;
}

export function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  return db.selectFrom('test_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Locked until the transaction ends. */
export function lockRun(trx: Db, id: string): Promise<RunRow | undefined> {
  return trx.selectFrom('test_runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export interface RunFilter {
  user_id: string;
  agent_id?: string | undefined;
  suite_id?: string | undefined;
}

/** Newest first; up to `limit` plus one. */
export function listRuns(db: Db, filter: RunFilter, { limit, after }: PageRequest): Promise<RunRow[]> {
  let query = db.selectFrom('test_runs').selectAll().where('user_id', '=', filter.user_id);
  if (filter.agent_id !== undefined) query = query.where('agent_id', '=', filter.agent_id);
  if (filter.suite_id !== undefined) query = query.where('suite_id', '=', filter.suite_id);
  if (after !== null) query = query.where('id', '<', after);
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** In the order of their scenarios: as many as fit into a page. */
export function listResults(db: Db, run_id: string, { limit, after }: PageRequest) {
  const query = db
    .selectFrom('test_results')
    .select([...SHOWN, 'size_bytes'])
    .where('run_id', '=', run_id)
    .orderBy('id');
  return pageWithinBudget<ResultRow>(db, after === null ? query : query.where('id', '>', after), {
    limit,
    order: sql`id`,
    bytes: sql<number>`size_bytes`,
  });
}

/** Marks a result and its run as running; returns what its worker needs, undefined if it is not open. */
export async function beginResult(trx: Db, id: string, now: Date) {
  const result = await trx
    .selectFrom('test_results')
    .select(['run_id', 'content', 'runs'])
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .executeTakeFirst();
  const run = result && (await lockRun(trx, result.run_id));
  if (!run || run.ended_at) return undefined;
  if (run.started_at === null)
    await trx.updateTable('test_runs').set({ status: 'running', started_at: now }).where('id', '=', run.id).execute();
  await trx
    .updateTable('test_results')
    .set({ status: 'running', started_at: now })
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .execute();
  return { ...result, run };
}

/** The run of an open result, locked, and the runs that its scenario has; undefined if it is not open. */
export async function lockOpenResult(trx: Db, id: string): Promise<{ run: RunRow; runs: number } | undefined> {
  const found = await trx.selectFrom('test_results').select('run_id').where('id', '=', id).executeTakeFirst();
  const run = found && (await lockRun(trx, found.run_id));
  const query = trx.selectFrom('test_results').select('runs').where('id', '=', id).where('status', 'in', OPEN);
  const open = await query.executeTakeFirst();
  return run && open && { run, runs: open.runs };
}

/** A result that has ended. */
export interface EndedResult {
  status: 'passed' | 'failed' | 'invalid';
  passed: number;
  failed: number;
  invalid: number;
  error: string | null;
  conversations: string;
  problems: string;
  is_complete: boolean;
  ended_at: Date;
}

/** Stores a result and counts it in its run, which is locked; returns the run. */
export async function endResult(trx: Db, id: string, run_id: string, ended: EndedResult): Promise<RunRow> {
  await trx.updateTable('test_results').set(ended).where('id', '=', id).execute();
  const { status } = ended;
  return trx
    .updateTable('test_runs')
    .set({ [status]: sql<number>`${sql.ref(status)} + 1` })
    .where('id', '=', run_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The newest run of a suite with each of these versions since a time, unless it was canceled; without others none. */
export async function newestRuns(
  db: Db,
  { suite_id, agent_id }: { suite_id: string; agent_id: string },
  versions: number[],
  since: Date,
): Promise<Map<number, Pick<RunRow, 'id' | 'status'>>> {
  const rows = await db
    .selectFrom('test_runs')
    .distinctOn('agent_version')
    .select(['agent_version', 'id', 'status'])
    .where('suite_id', '=', suite_id)
    .where('agent_id', '=', agent_id)
    .where('agent_version', 'in', versions)
    .where('created_at', '>', since)
    .where('status', '<>', 'canceled')
    .orderBy('agent_version')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ agent_version, ...run }) => [agent_version, run]));
}

/** The ids of the open results of runs. */
export async function openResultsOf(db: Db, run_ids: string[]): Promise<string[]> {
  if (run_ids.length === 0) return [];
  const query = db.selectFrom('test_results').select('id').where('run_id', 'in', run_ids);
  return (await query.where('status', 'in', OPEN).execute()).map(({ id }) => id);
}

/** Ends the open results of a run, which is locked; returns their number. */
export async function endOpenResults(
  trx: Db,
  run_id: string,
  ended: { status: 'invalid' | 'canceled'; error: string | null; ended_at: Date },
): Promise<number> {
  const query = trx.updateTable('test_results').set(ended).where('run_id', '=', run_id).where('status', 'in', OPEN);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

export function updateRun(
  trx: Db,
  id: string,
  change: Pick<RunRow, 'status' | 'ended_at' | 'invalid'>,
): Promise<RunRow> {
  return trx.updateTable('test_runs').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

/** Open runs that began before the id `before`. */
export async function listStaleRuns(db: Db, before: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('test_runs').select('id').where('ended_at', 'is', null).where('id', '<', before);
  return (await query.orderBy('id').limit(limit).execute()).map(({ id }) => id);
}

/** Deletes up to `limit` runs that began before the id `before`, with their results; returns their number. */
export async function deleteOldRuns(db: Db, before: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      select id from test_runs where id < ${before}::uuid and ended_at is not null order by id limit ${limit}::integer
    ), results as (
      delete from test_results using old where run_id = old.id
    ), runs as (
      delete from test_runs using old where test_runs.id = old.id returning 1
    )
    select count(*)::integer as count from runs`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The ids of the open runs of a user. */
export async function openRunsOf(db: Db, user_id: string): Promise<string[]> {
  const query = db.selectFrom('test_runs').select('id').where('ended_at', 'is', null).where('user_id', '=', user_id);
  return (await query.execute()).map(({ id }) => id);
}

export async function deleteRunsOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('test_results').where('user_id', '=', user_id).execute();
  await trx.deleteFrom('test_runs').where('user_id', '=', user_id).execute();
}
