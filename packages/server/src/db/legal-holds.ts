import { type RawBuilder, sql } from 'kysely';
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
export const isSessionHeld = (session: Value) => sql<boolean>`exists (
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
