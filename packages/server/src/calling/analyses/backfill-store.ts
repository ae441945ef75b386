import { type Insertable, type Selectable, sql } from 'kysely';
import { type Batch, type Deleted, deleteOld } from '../../db/retention-batches.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { idsFrom } from '../../lib/ids.ts';
import type { PageRequest } from '../../lib/page.ts';
import type { BackfillFilter } from './schema.ts';

/** States of those in progress. */
const OPEN = ['running', 'out_of_budget'] as const;

export type BackfillRow = Selectable<Tables['analysis_backfills']>;

/** Calls that a backfill is about. */
export interface Wanted extends BackfillFilter {
  user_id: string;
  answered_by?: string | undefined;
  min_duration_s?: number | undefined;
  /** The direction that the extractor is for, beside that of the filter. */
  only_direction?: string | undefined;
}

const matches = ({ agent_version, direction, only_direction, answered_by, min_duration_s }: Wanted) => {
  const all = [
    sql`call_status is not null and ended_at is not null and erased_at is null`,
    ...(agent_version === undefined ? [] : [sql`agent_version = ${agent_version}`]),
    ...(direction === undefined ? [] : [sql`coalesce(call_direction, 'WEB') = ${direction}`]),
    ...(only_direction === undefined ? [] : [sql`coalesce(call_direction, 'WEB') = ${only_direction}`]),
    ...(answered_by === undefined ? [] : [sql`answered_by = ${answered_by}`]),
    ...(min_duration_s === undefined ? [] : [sql`duration >= ${min_duration_s}`]),
  ];
  return sql<boolean>`${sql.join(all, sql` and `)}`;
};

const within = ({ user_id, agent_id, from, to }: Wanted, after: string | null) =>
  sql.join(
    [
      sql`user_id = ${user_id}`,
      ...(agent_id === undefined ? [] : [sql`agent_id = ${agent_id}::uuid`]),
      ...(from === undefined ? [] : since(new Date(from))),
      ...(to === undefined ? [] : until(new Date(to))),
      ...(after === null ? [] : [sql`id < ${after}::uuid`]),
    ],
    sql` and `,
  );

/** Ids begin with a time that may differ from that of the row: the index is searched with a day to spare. */
const since = (from: Date) => [
  sql`created_at >= ${from.toISOString()}::timestamptz`,
  sql`id >= ${idsFrom(new Date(from.getTime() - DAY_MS))}::uuid`,
];
const until = (to: Date) => [
  sql`created_at < ${to.toISOString()}::timestamptz`,
  sql`id < ${idsFrom(new Date(to.getTime() + DAY_MS))}::uuid`,
];

const COLUMNS = sql`id, call_status, ended_at, erased_at, agent_version, call_direction, answered_by, duration`;

/** Calls among the newest `among` of the user. */
export async function countWanted(db: Db, wanted: Wanted, among: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select ${COLUMNS} from sessions where ${within(wanted, null)} order by id desc limit ${among}
    ) as looked_at where ${matches(wanted)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** The calls among the next `window` sessions, newest first; and the last of these, null if there is none. */
export async function nextWanted(
  db: Db,
  wanted: Wanted,
  after: string | null,
  window: number,
): Promise<{ ids: string[]; last: string | null }> {
  const { rows } = await sql<{ id: string; is_wanted: boolean }>`
    select id, ${matches(wanted)} as is_wanted from (
      select ${COLUMNS} from sessions where ${within(wanted, after)} order by id desc limit ${window}
    ) as looked_at order by id desc`.execute(db);
  return { ids: rows.flatMap(({ id, is_wanted }) => (is_wanted ? id : [])), last: rows.at(-1)?.id ?? null };
}

export function insertBackfill(trx: Db, row: Insertable<Tables['analysis_backfills']>): Promise<BackfillRow> {
  return trx.insertInto('analysis_backfills').values(row).returningAll().executeTakeFirstOrThrow();
}

export function findBackfill(db: Db, id: string): Promise<BackfillRow | undefined> {
  return db.selectFrom('analysis_backfills').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first; up to `limit` plus one. */
export function listBackfills(db: Db, user_id: string, { limit, after }: PageRequest): Promise<BackfillRow[]> {
  const query = db.selectFrom('analysis_backfills').selectAll().where('user_id', '=', user_id);
  const rest = after === null ? query : query.where('id', '<', after);
  return rest
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Cancels a backfill in progress: it asks for no more analyses. Returns whether one was canceled. */
export async function cancelBackfill(trx: Db, id: string, ended_at: Date): Promise<boolean> {
  const change = { state: 'canceled' as const, is_scanned: true, ended_at };
  const query = trx.updateTable('analysis_backfills').set(change).where('id', '=', id).where('state', 'in', OPEN);
  return Number((await query.executeTakeFirst()).numUpdatedRows) > 0;
}

/** Counts analyses no more that are not made. */
export async function countDropped(trx: Db, id: string, count: number): Promise<void> {
  await sql`update analysis_backfills set queued = queued - ${count}::integer where id = ${id}::uuid`.execute(trx);
}

/** Locked until the transaction ends. */
export function lockBackfill(trx: Db, id: string): Promise<BackfillRow | undefined> {
  return trx.selectFrom('analysis_backfills').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function countOpenBackfills(db: Db, user_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('analysis_backfills')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('state', 'in', OPEN)
    .executeTakeFirstOrThrow();
  return count;
}

/** Analyses that it has asked for and that have not ended. */
export async function countOpenAnalyses(db: Db, backfill_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('analyses')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('backfill_id', '=', backfill_id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Sets the state of a backfill in progress. */
export async function setBackfillState(trx: Db, id: string, state: (typeof OPEN)[number]): Promise<void> {
  const open = trx.updateTable('analysis_backfills').where('id', '=', id).where('state', 'in', OPEN);
  await open.set({ state }).execute();
}

export async function advanceBackfill(
  trx: Db,
  id: string,
  { after_session, queued, is_scanned }: { after_session: string | null; queued: number; is_scanned: boolean },
): Promise<void> {
  await sql`
    update analysis_backfills set after_session = coalesce(${after_session}::uuid, after_session),
      queued = queued + ${queued}::integer, is_scanned = ${is_scanned}::boolean
    where id = ${id}::uuid`.execute(trx);
}

/** Counts an analysis that has ended. */
export async function countEnded(trx: Db, id: string, state: 'done' | 'failed'): Promise<void> {
  const column = sql.ref(state);
  await sql`update analysis_backfills set ${column} = ${column} + 1 where id = ${id}::uuid`.execute(trx);
}

/** Ends a backfill whose calls have all been looked at, and whose analyses have all ended. */
export async function endBackfill(trx: Db, id: string, at: Date): Promise<void> {
  await sql`
    update analysis_backfills set state = 'done', ended_at = ${at.toISOString()}::timestamptz
    where id = ${id}::uuid and ended_at is null and is_scanned and done + failed >= queued`.execute(trx);
}

export async function deleteBackfillsOf(trx: Db, user_id: string): Promise<void> {
  await trx.deleteFrom('analysis_backfills').where('user_id', '=', user_id).execute();
}

/** Deletes a batch of the backfills that have ended. */
export function deleteOldBackfills(db: Db, batch: Batch): Promise<Deleted> {
  const where = sql<boolean>`state not in (${sql.join(OPEN)})`;
  return deleteOld(db, { table: 'analysis_backfills', id: 'id', where }, batch);
}
