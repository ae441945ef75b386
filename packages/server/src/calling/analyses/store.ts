import { type Selectable, sql } from 'kysely';
import { type Batch, listOld, type OldRows } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { isId, newId } from '../../lib/ids.ts';

const COLUMNS = [
  'id',
  'session_id',
  'user_id',
  'extractor',
  'extractor_version',
  'state',
  'result',
  'error',
  'cost',
  'is_simulated',
  'backfill_id',
  'created_at',
  'started_at',
  'ended_at',
] as const;
export type AnalysisRow = Pick<Selectable<Tables['analyses']>, (typeof COLUMNS)[number]>;

interface NewAnalysis {
  session_id: string;
  user_id: string;
  extractors: { name: string; version: number }[];
  backfill_id: string | null;
  at: Date;
}

/** Adds the analyses of a call that there are not yet; returns the ids of those. */
export async function addAnalyses(trx: Db, { session_id, user_id, extractors, backfill_id, at }: NewAnalysis) {
  if (extractors.length === 0) return [];
  const rows = extractors.map(({ name, version }) => ({
    id: newId(),
    session_id,
    user_id,
    extractor: name,
    extractor_version: version,
    state: 'queued' as const,
    backfill_id,
    created_at: at,
  }));
  const added = await trx
    .insertInto('analyses')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['session_id', 'extractor', 'extractor_version']).doNothing())
    .returning('id')
    .execute();
  return added.map(({ id }) => id);
}

/** Queues those that have ended once more; returns their ids. Their results stay until then. */
export async function requeueAnalyses(
  trx: Db,
  session_id: string,
  extractors: { name: string; version: number }[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update analyses set state = 'queued', error = null, booked_lease = 0, backfill_id = null, started_at = null, ended_at = null
    from unnest(${extractors.map(({ name }) => name)}::text[], ${extractors.map(({ version }) => version)}::integer[])
      as wanted (name, version)
    where session_id = ${session_id}::uuid and extractor = wanted.name and extractor_version = wanted.version
      and state in ('done', 'failed')
    returning analyses.id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Keeps a call from its erasure and from others who start its analyses, but not these from ending. */
export async function holdCall(trx: Db, session_id: string): Promise<void> {
  await sql`select from sessions where id = ${session_id}::uuid for no key update`.execute(trx);
}

/** Makes the open analyses of a call nobody's but the call's own; returns their backfills, once for each. */
export async function takeFromBackfills(
  trx: Db,
  session_id: string,
  extractors: { name: string; version: number }[],
): Promise<string[]> {
  const { rows } = await sql<{ backfill_id: string }>`
    with open as (
      select id, backfill_id from analyses
      where session_id = ${session_id}::uuid and state in ('queued', 'running') and backfill_id is not null
        and (extractor, extractor_version) in (select * from unnest(
          ${extractors.map(({ name }) => name)}::text[], ${extractors.map(({ version }) => version)}::integer[]))
      order by id for update
    )
    update analyses set backfill_id = null from open where analyses.id = open.id
    returning open.backfill_id`.execute(trx);
  return rows.map(({ backfill_id }) => backfill_id);
}

/** Analyses of one call, in the order in which they were asked for. */
export function listAnalyses(db: Db, session_id: string): Promise<AnalysisRow[]> {
  return db.selectFrom('analyses').select(COLUMNS).where('session_id', '=', session_id).orderBy('id').execute();
}

/** Notes that a worker has begun; undefined for an analysis that has ended, or is gone. */
export function beginAnalysis(db: Db, id: string, started_at: Date): Promise<AnalysisRow | undefined> {
  return db
    .updateTable('analyses')
    .set({ state: 'running', started_at })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Locked until the transaction ends; undefined for an analysis that has ended, or is gone. */
export function lockOpenAnalysis(trx: Db, id: string): Promise<AnalysisRow | undefined> {
  const query = trx.selectFrom('analyses').select(COLUMNS).where('id', '=', id);
  return query.where('state', 'in', ['queued', 'running']).forUpdate().executeTakeFirst();
}

interface Ended {
  state: 'done' | 'failed';
  result?: string;
  error: string | null;
  is_simulated?: boolean;
  ended_at: Date;
}

export function endAnalysis(trx: Db, id: string, ended: Ended): Promise<AnalysisRow> {
  return trx.updateTable('analyses').set(ended).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Notes that the usage of an attempt is in the ledger; false if it was already. */
export async function bookLease(trx: Db, id: string, lease_token: number): Promise<boolean> {
  const booked = trx.updateTable('analyses').set({ booked_lease: lease_token }).where('id', '=', id);
  return Number((await booked.where('booked_lease', '<', lease_token).executeTakeFirst()).numUpdatedRows) > 0;
}

export async function addCost(trx: Db, id: string, costs: string[]): Promise<void> {
  await sql`
    update analyses set cost = trim_scale(cost + (select sum(one) from unnest(${costs}::numeric[]) as one))
    where id = ${id}::uuid`.execute(trx);
}

/** The mean cost of the newest analyses by an extractor; null without any. */
export async function meanCost(db: Db, user_id: string, extractor: string, among: number): Promise<string | null> {
  const { rows } = await sql<{ cost: string | null }>`
    select trim_scale(round(avg(cost), 12))::text as cost from (
      select cost from analyses where user_id = ${user_id} and extractor = ${extractor} and state = 'done'
      order by id desc limit ${among}
    ) as newest`.execute(db);
  return rows[0]?.cost ?? null;
}

/** The id of the newest transcript of a session; null if there is none. No id is below `since`. */
export async function newestLine(db: Db, session_id: string, since: string): Promise<string | null> {
  const query = db.selectFrom('transcripts').select('id').where('session_id', '=', session_id).where('id', '>=', since);
  return (await query.orderBy('seq', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? null;
}

/** Those of these ids that are lines of the session's transcript. */
export async function knownLines(db: Db, session_id: string, ids: string[]): Promise<Set<string>> {
  const asked = [...new Set(ids.filter(isId))];
  if (asked.length === 0) return new Set();
  const query = db.selectFrom('transcripts').select('id').where('session_id', '=', session_id).where('id', 'in', asked);
  return new Set((await query.execute()).map(({ id }) => id));
}

export async function analysisIdsOf(trx: Db, session_ids: string[]): Promise<string[]> {
  const found = await trx.selectFrom('analyses').select('id').where('session_id', 'in', session_ids).execute();
  return found.map(({ id }) => id);
}

/** Returns the backfills that have asked for those that had not ended, once for each. */
export async function deleteAnalysesOf(trx: Db, session_ids: string[]): Promise<string[]> {
  const query = trx.deleteFrom('analyses').where('session_id', 'in', session_ids).returning(['state', 'backfill_id']);
  const deleted = await query.execute();
  return deleted.flatMap(({ state, backfill_id }) =>
    backfill_id !== null && (state === 'queued' || state === 'running') ? [backfill_id] : [],
  );
}

/** Analyses that a backfill has asked for and that nobody has begun. */
export async function queuedOf(db: Db, backfill_id: string): Promise<string[]> {
  const query = db.selectFrom('analyses').select('id').where('backfill_id', '=', backfill_id);
  return (await query.where('state', '=', 'queued').execute()).map(({ id }) => id);
}

/** Deletes those of a backfill's analyses that have not ended; returns their ids. */
export async function dropOpen(trx: Db, backfill_id: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const open = trx.deleteFrom('analyses').where('id', 'in', ids).where('backfill_id', '=', backfill_id);
  const dropped = await open.where('state', 'in', ['queued', 'running']).returning('id').execute();
  return dropped.map(({ id }) => id);
}

/** The calls, by analysis, of a batch of the analyses, whose transcripts are deleted, too; none under a legal hold. */
export function listOlder(trx: Db, batch: Batch): Promise<OldRows> {
  return listOld(trx, { table: 'analyses', id: 'session_id', of: { session: 'session_id' } }, batch);
}
