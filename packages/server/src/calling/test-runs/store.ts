import { type Insertable, type Selectable, sql } from 'kysely';
import { pageWithinBudget } from '../../db/page-budget.ts';
import { type Batch, type Deleted, deletedOldest } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import type { TestStatus } from '../../db/test-tables.ts';
import { idsFrom } from '../../lib/ids.ts';
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
  'base_passed',
  'base_failed',
  'started_at',
  'ended_at',
] as const;
type Replay = Selectable<Tables['test_replays']>;
/** With the call that it replays, if it does. */
export type ResultRow = Pick<Selectable<Tables['test_results']>, (typeof SHOWN)[number]> & {
  [Name in 'call_id' | 'turns']: Replay[Name] | null;
} & { recorded_version: Replay['agent_version'] };
export type NewResult = Insertable<Tables['test_results']>;
export type NewReplay = Insertable<Tables['test_replays']>;

const OPEN: TestStatus[] = ['queued', 'running'];

/** Adds a test run, and its results, which are open. */
export async function insertRun(
  trx: Db,
  run: Insertable<Tables['test_runs']>,
  results: NewResult[],
  replays: NewReplay[],
): Promise<void> {
  await trx.insertInto('test_runs').values(run).execute();
  await trx.insertInto('test_results').values(results).execute();
  if (replays.length > 0) await trx.insertInto('test_replays').values(replays).execute();
}

/** The newest results that a version of an agent has of these scenarios as they are now. */
export async function findBase(trx: Db, agent_id: string, version: number, scenario_ids: string[]) {
  if (scenario_ids.length === 0) return [];
  const { rows } = await sql<{ scenario_id: string; passed: number; failed: number }>`
    select newest.* from scenarios cross join lateral (
      select results.scenario_id, results.passed, results.failed
      from test_results as results join test_runs as runs on runs.id = results.run_id
      where results.scenario_id = scenarios.id and results.content = scenarios.content
        and results.passed + results.failed > 0
        and runs.agent_id = ${agent_id}::uuid and runs.agent_version = ${version}::integer
      order by results.id desc limit 1
    ) as newest where scenarios.id = any(${scenario_ids}::uuid[])`.execute(trx);
  return rows;
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
    .leftJoin('test_replays', 'result_id', 'test_results.id')
    .select(SHOWN.map((name) => `test_results.${name}` as const))
    .select(['call_id', 'turns', 'test_replays.agent_version as recorded_version'])
    .select((row) =>
      row(sql<number>`test_results.size_bytes`, '+', row.fn.coalesce('test_replays.size_bytes', sql<number>`0`)).as(
        'size_bytes',
      ),
    )
    .where('run_id', '=', run_id)
    .orderBy('test_results.id');
  return pageWithinBudget<ResultRow>(db, after === null ? query : query.where('test_results.id', '>', after), {
    limit,
    order: sql`id`,
    bytes: sql<number>`size_bytes`,
  });
}

/** Marks a result and its run as running; returns what its worker needs, undefined if it is not open. */
export async function beginResult(trx: Db, id: string, now: Date) {
  const result = await trx
    .selectFrom('test_results')
    .leftJoin('test_replays', 'result_id', 'test_results.id')
    .select(['run_id', 'content', 'runs', 'scenario_id', 'call_id', 'started_at'])
    .where('test_results.id', '=', id)
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

/** The run of an open result, locked, and what it is of; undefined if it is not open. */
export async function lockOpenResult(trx: Db, id: string) {
  const found = await trx.selectFrom('test_results').select('run_id').where('id', '=', id).executeTakeFirst();
  const run = found && (await lockRun(trx, found.run_id));
  const query = trx
    .selectFrom('test_results')
    .leftJoin('test_replays', 'result_id', 'test_results.id')
    .select(['runs', 'scenario_id', 'call_id']);
  const open = await query.where('test_results.id', '=', id).where('status', 'in', OPEN).executeTakeFirst();
  return run && open && { run, ...open };
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

/** A run that a gate looks at. */
export type GateRun = Pick<RunRow, 'id' | 'status' | 'cassette' | 'is_simulated' | 'is_short'>;

/**
 * The newest run of a suite with each of these versions since a time, unless it was canceled; without others none. A
 * run that asked no model is taken only if there is no other one: a replay fails of any other prompt, too. So is one
 * that asked too seldom, unless it has failed. In a sandbox, rules are the models.
 */
export async function newestRuns(
  db: Db,
  { suite_id, agent_id, is_sandbox }: { suite_id: string; agent_id: string; is_sandbox: boolean },
  versions: number[],
  since: Date,
): Promise<Map<number, GateRun>> {
  const hasAsked = sql<boolean>`cassette <> 'replay' and (not is_simulated or ${is_sandbox}::boolean)`;
  const rows = await db
    .selectFrom('test_runs')
    .distinctOn('agent_version')
    .select(['agent_version', 'id', 'status', 'cassette', 'is_simulated', 'is_short'])
    .where('suite_id', '=', suite_id)
    .where('agent_id', '=', agent_id)
    .where('agent_version', 'in', versions)
    .where('created_at', '>', since)
    .where('status', '<>', 'canceled')
    .orderBy('agent_version')
    .orderBy(sql`(${hasAsked}) and (status = 'failed' or not is_short)`, 'desc')
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

/** Open runs that began before `since`, and of which no worker has begun or ended a scenario after it. */
export async function listStaleRuns(db: Db, since: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from test_runs where ended_at is null and id < ${idsFrom(since)}::uuid and coalesce((
      select max(greatest(results.started_at, results.ended_at)) from test_results as results
      where results.run_id = test_runs.id
    ) < ${since.toISOString()}::timestamptz, true) order by id limit ${limit}::integer`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deletes a batch of the runs that have ended, with their results. */
export async function deleteOldRuns(db: Db, batch: Batch): Promise<Deleted> {
  const { before, limit } = batch;
  const { rows } = await sql<{ count: number }>`
    with old as (
      select id from test_runs where id < ${before}::uuid and ended_at is not null order by id limit ${limit}::integer
    ), results as (
      delete from test_results using old where run_id = old.id
    ), runs as (
      delete from test_runs using old where test_runs.id = old.id returning 1
    )
    select count(*)::integer as count from runs`.execute(db);
  return deletedOldest(rows[0]?.count ?? 0, batch);
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

/** Open runs that replay one of these calls. */
export async function listReplaying(trx: Db, call_ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ run_id: string }>`
    select id as run_id from test_runs where ended_at is null and id = any(array(
      select run_id from test_results where id = any(array(
        select result_id from test_replays where call_id = any(${call_ids}::uuid[])
      ))
    ))
    order by run_id`.execute(trx);
  return rows.map(({ run_id }) => run_id);
}

/** Deletes what was replayed of these calls: their words, and those of the conversations that repeated them. */
export async function forgetReplays(trx: Db, call_ids: string[]): Promise<void> {
  await sql`
    with gone as (delete from test_replays where call_id = any(${call_ids}::uuid[]))
    update test_results set content = '{}', conversations = '[]', problems = '[]', is_complete = false
    where id = any(array(select result_id from test_replays where call_id = any(${call_ids}::uuid[])))`.execute(trx);
}

/** A batch of the calls that are replayed, the oldest first. */
export async function listReplayed(db: Db, { before, limit }: Batch): Promise<string[]> {
  const query = db.selectFrom('test_replays').select('call_id').distinct().where('call_id', '<', before);
  return (await query.orderBy('call_id').limit(limit).execute()).map(({ call_id }) => call_id);
}
