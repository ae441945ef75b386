import type { Static } from 'typebox';
import type { Agents } from '../agents/agents.ts';
import type { Database } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { isId, newId } from '../lib/ids.ts';
import { mergePatch, textProblem } from '../lib/json.ts';
import type { Logger } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Media } from '../providers/media/media.ts';
import { createChanges, HELD } from './changes.ts';
import { type CallToAdd, insertCalls } from './changes-store.ts';
import { advance, figures, isFinal, latest, type Signal } from './lifecycle.ts';
import { createLookups } from './lookups.ts';
import type { SessionCreate, SessionUpdate } from './schema.ts';
import {
  eraseSessions,
  findSession,
  hasSessions,
  insertSession,
  insertSessionEvent,
  listOpenCalls,
  listOpenConversations,
  listSessionEvents,
  listUnbegunConversations,
  lockSession,
  lockSomeSessions,
  markAgentJoined,
  markRoomsSeen,
  type NewSession,
  openCallsByStatus,
  type Session,
  type SessionFilter,
  type ShownSession,
  statesByRoom,
  updateSession,
} from './store.ts';
import { assertAfterStart, mergedData } from './update.ts';
import { createViews, owned } from './views.ts';

export { isFinal, type Session, type SessionFilter, type ShownSession, type Signal };
export type Sessions = ReturnType<typeof createSessions>;

/** Tells the caller's `callback_url` of a change, inside the transaction that makes it. */
type Announce = (trx: Db, session: Session) => Promise<void>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  media: Media;
  agents: Agents;
  announce: Announce;
  /** What ends with sessions, in their transaction. */
  onEnd: (trx: Db, sessions: Session[]) => Promise<void>;
  /** Follows the end of a session, once it is committed. */
  afterEnd: (session: Session) => void;
}

/** Operations on sessions. Every change of a session's state goes through `apply`. */
export function createSessions({ db, clock, log, metrics, media, agents, announce, onEnd, afterEnd }: Deps) {
  const lookups = createLookups(db);
  const views = createViews({ db, agents, lookups });
  const changes = createChanges({ db, clock, announce, onEnd });

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function get(id: string, caller: string | null, within?: Db): Promise<Session> {
    if (!isId(id)) throw new AppError('not_found');
    return owned(within ? await findSession(within, id) : await lookups.byId(id.toLowerCase()), caller);
  }

  async function getByRoom(room_name: string, caller: string | null): Promise<Session> {
    return owned(textProblem(room_name) ? undefined : await lookups.byRoom(room_name), caller);
  }

  /** Inserts a session with the first entry of its timeline; undefined when its room has one already. */
  async function add(
    trx: Db,
    session: Omit<NewSession, 'id' | 'session_data' | 'created_at' | 'updated_at'> & {
      session_data?: object | undefined;
    },
  ): Promise<Session | undefined> {
    const now = clock.now();
    const added = await insertSession(trx, {
      ...session,
      id: newId(),
      session_data: JSON.stringify(session.session_data ?? {}),
      created_at: now,
      updated_at: now,
      last_event: 1,
    });
    if (added) await recordEvent(trx, added, now);
    return added;
  }

  function recordEvent(trx: Db, session: Session, at: Date): Promise<void> {
    const { id: session_id, last_event: seq, status, call_status } = session;
    return insertSessionEvent(trx, { id: newId(), session_id, seq, status, call_status, created_at: at });
  }

  /** A conversation that is not an outbound call. A room that has a session of that user gives that one. */
  async function create(input: Static<typeof SessionCreate>): Promise<Session> {
    const agent = typeof input.agent_id === 'string' ? await agents.get(input.agent_id, input.user_id) : null;
    const room_name = input.room_name ?? `room-${newId()}`;
    const session = await db.transaction().execute((trx) =>
      add(trx, {
        room_name,
        user_id: input.user_id,
        agent_id: agent?.id ?? null,
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

  /**
   * Applies a signal to the session, with its timeline, metrics and callback; null when it changes nothing.
   * `change` is written with it. Inside a transaction: the session stays locked until its end.
   */
  async function applyIn(
    trx: Db,
    id: string,
    signal: Signal,
    change: Parameters<typeof updateSession>[2] = {},
  ): Promise<Session | null> {
    const before = await lockSession(trx, id);
    const next = before && advance(before, signal);
    if (!next) return null;
    const { status, call_status, started_at, ended_at, duration, end_reason, sip_status_code } = next;
    const now = latest(clock.now(), before.updated_at);
    const session = await updateSession(trx, id, {
      ...{ status, call_status, started_at, ended_at, duration, end_reason, sip_status_code },
      ...change,
      last_event: before.last_event + 1,
      updated_at: now,
    });
    await recordEvent(trx, session, now);
    if (session.call_status !== null && session.call_status !== before.call_status) await announce(trx, session);
    if (isFinal(session)) await onEnd(trx, [session]);
    return session;
  }

  /** The same in a transaction of its own, or one with others that come at the same time. */
  async function apply(id: string, signal: Signal): Promise<Session | null> {
    const applied = await changes.apply(id, signal);
    const session = applied === HELD ? await db.transaction().execute((trx) => applyIn(trx, id, signal)) : applied;
    if (session) ended(session);
    return session;
  }

  /** Does what follows the end of a session, if it has ended; call it after the commit of an `applyIn`. */
  function ended(session: Session): void {
    if (!isFinal(session)) return;
    afterEnd(session);
    const { call_direction, call_status, end_reason } = session;
    if (!call_direction || !call_status) return;
    metrics.callsEnded.inc({ call_direction, call_status, end_reason: end_reason ?? 'unknown' });
  }

  /** Hangs up on everybody in the room. A media provider that fails is only logged: the reconciler closes rooms of ended sessions. */
  async function closeRoom(room_name: string): Promise<void> {
    await media.closeRoom(room_name).catch((err: unknown) => log.warn({ err, room_name }, 'closing a room failed'));
  }

  /** Ends a live session and hangs up; an ended one is left as it is. */
  async function end(session: Session, end_reason: string): Promise<Session> {
    const changed = await apply(session.id, { kind: 'ended', at: clock.now(), end_reason });
    if (changed) await closeRoom(changed.room_name);
    return changed ?? get(session.id, null);
  }

  /** Merges `metadata`; `ended_at` and `duration` end a live session and correct the figures of an ended one. */
  async function update(id: string, input: Static<typeof SessionUpdate>, caller: string | null): Promise<Session> {
    await get(id, caller);
    const now = clock.now();
    const given = {
      ended_at: input.ended_at ? new Date(input.ended_at) : undefined,
      duration: input.duration ?? undefined,
    };
    const isEnding = given.ended_at !== undefined || given.duration !== undefined;
    const { session, live } = await db.transaction().execute(async (trx) => {
      const before = owned(await lockSession(trx, id), caller);
      // What comes late must not bring back what was erased.
      if (before.erased_at !== null) throw new AppError('not_found');
      const change = {
        updated_at: now,
        ...(input.metadata && { session_data: await mergedData(trx, id, input.metadata) }),
      };
      if (!isEnding) return { session: await updateSession(trx, id, change), live: false };
      assertAfterStart(before, given);
      const changed = await applyIn(
        trx,
        id,
        { kind: 'ended', at: now, end_reason: 'ended_by_agent', ...given },
        change,
      );
      if (changed) return { session: changed, live: true };
      const corrected = figures(before.started_at, before.ended_at ?? now, given);
      return { session: await updateSession(trx, id, { ...change, ...corrected }), live: false };
    });
    if (live) {
      ended(session);
      await closeRoom(session.room_name);
    }
    return session;
  }

  /** Sets the gauges of the calls that have not ended. */
  async function measure(): Promise<void> {
    const byStatus = await openCallsByStatus(db);
    for (const call_status of ['RINGING', 'ANSWERED'] as const) {
      const found = byStatus.find((row) => row.call_status === call_status);
      metrics.openCalls.set({ call_status }, found?.count ?? 0);
      const age = found ? clock.now().getTime() - new Date(found.oldest).getTime() : 0;
      metrics.oldestCall.set({ call_status }, age / 1000);
    }
  }

  return {
    get,
    measure,
    getByRoom,
    ...views,
    add,
    create,
    apply,
    applyIn,
    ended,
    end,
    update,
    closeRoom,
    /** Whether the session of this room is the user's. */
    hasRoom: async (user_id: string, room_name: string) => (await lookups.byRoom(room_name))?.user_id === user_id,
    /** The session of a room, of any user; undefined when there is none. */
    findByRoom: lookups.byRoom,
    listOpenCalls: () => listOpenCalls(db),
    listOpenConversations: () => listOpenConversations(db),
    listUnbegunConversations: (created_before: Date, limit: number) =>
      listUnbegunConversations(db, created_before, limit),
    /** Records of the conversations in these rooms that their room was there. */
    markRoomsSeen: (rooms: string[]) => markRoomsSeen(db, rooms, clock.now()),
    /** The session, locked until the transaction ends. Throws `not_found`. */
    lock: async (trx: Db, id: string) => owned(await lockSession(trx, id), null),
    /** Inserts outbound calls that are about to ring; gives them in their order. */
    addCalls: async (trx: Db, calls: Omit<CallToAdd, 'id' | 'event_id' | 'created_at'>[]) => {
      if (calls.length === 0) return [];
      const now = clock.now();
      const rows = calls.map((call) => ({ ...call, id: newId(), event_id: newId(), created_at: now }));
      const added = new Map((await insertCalls(trx, rows)).map((session) => [session.id, session]));
      return rows.map(({ id }) => added.get(id));
    },
    /** Of these rooms, those that have a session, and whether it has ended. */
    statesByRoom: (rooms: string[]) => statesByRoom(db, rooms),
    /** Some sessions of a user, locked until the transaction ends. */
    lockSome: lockSomeSessions,
    /** Whether any session is the user's. */
    hasAny: hasSessions,
    /** Takes from sessions what is personal; they are the pseudonym's then. */
    erase: (trx: Db, ids: string[], pseudonym: string) => eraseSessions(trx, ids, pseudonym, clock.now()),
    timeline: (id: string) => listSessionEvents(db, id),
    /** Records that the agent's worker is in the room, the first time. */
    markAgentJoined: async (id: string) => {
      if (!(await changes.markAgentJoined(id))) await markAgentJoined(db, id, clock.now());
    },
    /** Records on the session that it was transferred; null takes that back. */
    markTransferred: (trx: Db, id: string, transfer: Pick<Session, 'transferred_to' | 'transfer_type'>) => {
      const now = clock.now();
      const transfer_timestamp = transfer.transferred_to === null ? null : now;
      return updateSession(trx, id, { ...transfer, transfer_timestamp, updated_at: now });
    },
  };
}
