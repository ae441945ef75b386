import type { Static } from 'typebox';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { mergePatch } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Agents } from '../agents/agents.ts';
import type { SessionCreate } from './schema.ts';
import type { Session } from './store.ts';
import { insertSessions, type NewSession } from './transition-store.ts';

interface Deps extends Pick<Platform, 'db' | 'clock'> {
  agents: Agents;
  /** Throws `not_found`. */
  getByRoom: (room_name: string, caller: string | null) => Promise<Session>;
}

/** A session to insert. */
type Addition = Omit<NewSession, 'id' | 'session_data' | 'created_at' | 'updated_at'> & {
  session_data?: object | undefined;
};

/** Adds sessions. */
export function createAdditions({ db, clock, agents, getByRoom }: Deps) {
  /** Inserts sessions with the first entries of their timelines; undefined for a room that has a session. */
  async function addEach(trx: Db, sessions: Addition[]): Promise<(Session | undefined)[]> {
    if (sessions.length === 0) return [];
    const now = clock.now();
    const rows = sessions.map((session) => ({
      ...session,
      id: newId(),
      event_id: newId(),
      created_at: now,
      updated_at: now,
      session_data: JSON.stringify(session.session_data ?? {}),
    }));
    const added = new Map((await insertSessions(trx, rows)).map((session) => [session.id, session]));
    return rows.map(({ id }) => added.get(id));
  }

  async function add(trx: Db, session: Addition): Promise<Session | undefined> {
    return (await addEach(trx, [session]))[0];
  }

  /**
   * Opens a conversation that is not an outbound call; returns the existing one if the user already has one in that
   * room.
   */
  async function create(input: Static<typeof SessionCreate>): Promise<Session> {
    const agent =
      typeof input.agent_id === 'string' ? await agents.forConversation(input.agent_id, input.user_id) : null;
    const room_name = input.room_name ?? `room-${newId()}`;
    const session = await db.transaction().execute((trx) =>
      add(trx, {
        room_name,
        user_id: input.user_id,
        agent_id: agent?.id ?? null,
        agent_version: agent?.version ?? null,
        status: 'ACTIVE',
        started_at: clock.now(),
        session_data: mergePatch(input.session_data ?? {}, input.metadata ?? {}),
      }),
    );
    if (session) return session;
    const existing = await getByRoom(room_name, null);
    if (existing.user_id !== input.user_id) throw new AppError('room_taken');
    return existing;
  }

  return { addEach, add, create };
}
