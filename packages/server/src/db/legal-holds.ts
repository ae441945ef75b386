import { type RawBuilder, sql } from 'kysely';
import { NIL } from 'uuid';
import type { Db } from './tables.ts';

const LOCK = sql`hashtextextended('legal holds', 0)`;

/**
 * Makes holds that are set meanwhile wait until the transaction ends: once one is set, nothing goes on that has not
 * seen it. Before anything of an agent is locked, and in a statement of its own, so that the next one sees the holds.
 */
export async function shareHolds(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(trx);
}

/**
 * Waits for deletions that go on, before a transaction sets or lifts a hold: for a few seconds, because whatever wants
 * to delete meanwhile waits behind it. Throws as if the database were unavailable.
 */
export async function lockHolds(trx: Db): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(trx);
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
}

type Value = RawBuilder<unknown>;

const holdsUser = (user: Value) => sql<boolean>`exists (select from legal_holds where legal_holds.user_id = ${user})`;

const holdsEither = (user: Value, agent: Value) =>
  sql<boolean>`(${holdsUser(user)} or exists (select from agents as held where held.id = ${agent} and held.legal_hold))`;

/** Whether a legal hold of the user or the agent keeps a row with these columns; `agent` null: the user's alone. */
export const isHeld = (user: string, agent: string | null) =>
  agent === null ? holdsUser(sql.ref(user)) : holdsEither(sql.ref(user), sql.ref(agent));

/** Whether a legal hold keeps what belongs to the session of this column. */
const isSessionHeld = (session: Value) => sql<boolean>`exists (
  select from sessions as kept where kept.id = ${session} and ${isHeld('kept.user_id', 'kept.agent_id')}
)`;

/** Whether anything of the user is under a legal hold; that stays so until the transaction ends. */
export function holdsAnything(trx: Db, user_id: string): Promise<boolean> {
  const agents = sql`select from agents where agents.user_id = ${user_id} and agents.legal_hold`;
  return holds(trx, sql`${holdsUser(sql`${user_id}::text`)} or exists (${agents})`);
}

/** The same of the conversations of the user's agent. */
export function holdsAgent(trx: Db, user_id: string, id: string): Promise<boolean> {
  return holds(trx, holdsEither(sql`${user_id}::text`, sql`${id}::uuid`));
}

/** The same of a session. */
export function holdsSession(trx: Db, id: string): Promise<boolean> {
  return holds(trx, isSessionHeld(sql`${id}::uuid`));
}

async function holds(trx: Db, condition: RawBuilder<unknown>): Promise<boolean> {
  await shareHolds(trx);
  const { rows } = await sql<{ is_held: boolean }>`select ${condition} as is_held`.execute(trx);
  return rows[0]?.is_held === true;
}

/** Rows in the order of their age, and the columns that say whose they are. */
export interface Aged {
  table: string;
  /** The key. */
  id: string;
  /** A time that comes before the key in the order; without one the key itself is in the order of age. */
  at?: string;
  /** The session that they belong to, or their user, and their agent if they have one. */
  of: { session?: string; user?: string; agent?: string };
  where?: RawBuilder<boolean>;
}

/** The rows from before an id, or a time, of which up to `limit` are looked at: those after the place `after`. */
export type Part = [before: string, limit: number, after: string | null];

/** How many rows were deleted, and the place from which to go on; null if there are no more. */
export interface Passed {
  deleted: number;
  next: string | null;
}

/**
 * The rows of a part that no hold keeps, for a transaction that deletes them. Looks at no row twice in a round, and at
 * no more than a part in one statement, however many are held.
 */
export async function listUnheld(
  trx: Db,
  { table, id, at, of, where = sql<boolean>`true` }: Aged,
  [before, limit, after]: Part,
): Promise<{ ids: string[]; next: string | null }> {
  await shareHolds(trx);
  const [key, time] = [sql.ref(id), at === undefined ? null : sql.ref(at)];
  const [last = NIL, ...moment] = after?.split(' ') ?? [];
  const since = moment.join(' ') || '-infinity';
  const isLeft = time
    ? sql`${time} < ${before}::timestamptz and (${time}, ${key}) > (${since}::timestamptz, ${last}::uuid)`
    : sql`${key} < ${before}::uuid and ${key} > ${last}::uuid`;
  const order = time ? sql`${time}, ${key}` : key;
  const columns = [...new Set([id, ...(at ? [at] : []), ...Object.values(of)])].map((name) => sql.ref(name));
  const { rows } = await sql<{ id: string; at: string | null; is_held: boolean }>`
    with looked_at as materialized (
      select ${sql.join(columns)} from ${sql.table(table)} where ${isLeft} and ${where} order by ${order} limit ${limit}
    )
    select ${key} as id, ${time ?? sql`null`}::text as at, ${heldOf(of)} as is_held
    from looked_at order by ${order}`.execute(trx);
  const end = rows.length === limit ? rows.at(-1) : undefined;
  return {
    ids: rows.flatMap((row) => (row.is_held ? [] : [row.id])),
    next: end ? [end.id, end.at ?? ''].join(' ') : null,
  };
}

function heldOf({ session, user, agent }: Aged['of']): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`looked_at.${name}`);
  const conditions = [
    ...(session ? [isSessionHeld(column(session))] : []),
    ...(user ? [agent ? holdsEither(column(user), column(agent)) : holdsUser(column(user))] : []),
  ];
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/** Deletes the rows of a part that no hold keeps. */
export function deleteUnheld(db: Db, rows: Aged, part: Part): Promise<Passed> {
  return db.transaction().execute(async (trx) => {
    const { ids, next } = await listUnheld(trx, rows, part);
    if (ids.length === 0) return { deleted: 0, next };
    const { table, id, where = sql<boolean>`true` } = rows;
    const deleted = await sql`
      delete from ${sql.table(table)} where ${sql.ref(id)} = any(${ids}::uuid[]) and ${where}`.execute(trx);
    return { deleted: Number(deleted.numAffectedRows), next };
  });
}

/** The conversations under a legal hold that began before the id `before`. */
export async function countHeld(db: Db, before: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select sessions.id from legal_holds join sessions using (user_id) where sessions.id < ${before}::uuid
      union
      select sessions.id from agents join sessions on sessions.agent_id = agents.id
      where agents.legal_hold and sessions.id < ${before}::uuid
    ) as held`.execute(db);
  return rows[0]?.count ?? 0;
}
