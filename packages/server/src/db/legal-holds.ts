import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Whether a legal hold of the user or the agent keeps a row with these columns; `agent` null: the user's alone. */
export const isHeld = (user: string, agent: string | null) =>
  agent === null
    ? sql<boolean>`exists (select from legal_holds where legal_holds.user_id = ${sql.ref(user)})`
    : sql<boolean>`(exists (select from legal_holds where legal_holds.user_id = ${sql.ref(user)})
        or exists (select from agents as held where held.id = ${sql.ref(agent)} and held.legal_hold))`;

/** Whether a legal hold keeps what belongs to the session of this column. */
export const isSessionHeld = (session: string) => sql<boolean>`exists (
  select from sessions as kept where kept.id = ${sql.ref(session)} and ${isHeld('kept.user_id', 'kept.agent_id')}
)`;

/** Whether anything of the user is under a legal hold. */
export async function holdsAnything(db: Db, user_id: string): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (select from legal_holds where user_id = ${user_id})
      or exists (select from agents where user_id = ${user_id} and legal_hold) as is_held`.execute(db);
  return rows[0]?.is_held === true;
}

/** Whether a legal hold keeps the conversations of the user's agent. */
export async function holdsAgent(db: Db, user_id: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select exists (select from legal_holds where user_id = ${user_id})
      or exists (select from agents where id = ${id} and legal_hold) as is_held`.execute(db);
  return rows[0]?.is_held === true;
}

/** Whether a legal hold keeps a session. */
export async function holdsSession(db: Db, id: string): Promise<boolean> {
  const query = db.selectFrom('sessions').select('id').where('id', '=', id);
  return (await query.where(isHeld('sessions.user_id', 'sessions.agent_id')).executeTakeFirst()) !== undefined;
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
