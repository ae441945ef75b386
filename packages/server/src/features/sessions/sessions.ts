import type { Static } from 'typebox';
import type { Database } from '../../db/database.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { mergePatch, textProblem } from '../../lib/json.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Agents } from '../agents/agents.ts';
import { insertSessions, type NewSession } from './addition-store.ts';
import { directionOf, numbersOf } from './direction.ts';
import { assertTakesReports } from './late-reports.ts';
import { figures, isFinal, type Signal } from './lifecycle.ts';
import { createLookups } from './lookups.ts';
import { type Correction, createOutcomes } from './outcome.ts';
import type { Rooms } from './rooms.ts';
import type { SessionCreate, SessionUpdate } from './schema.ts';
import {
  eraseSessions,
  findCallData,
  findSession,
  hasSessions,
  listOpenCalls,
  listOpenConversations,
  listSessionEvents,
  listUnbegunConversations,
  lockSession,
  lockSomeSessions,
  markRoomsSeen,
  openCallsByStatus,
  type Session,
  type SessionFilter,
  type ShownSession,
  statesByRoom,
  updateSession,
} from './store.ts';
import { type AfterCommit, createTransitions, type Listener, type Transition } from './transition.ts';
import { markAgentsJoined } from './transition-store.ts';
import { assertAfterStart, mergedData } from './update.ts';
import { createViews, owned } from './views.ts';

export {
  assertTakesReports,
  directionOf,
  isFinal,
  numbersOf,
  type Session,
  type SessionFilter,
  type ShownSession,
  type Signal,
  type Transition,
};
export type Sessions = ReturnType<typeof createSessions>;

interface Deps {
  db: Database['db'];
  clock: Clock;
  metrics: Metrics;
  agents: Agents;
  rooms: Rooms;
  listeners: Listener[];
  afterCommit: AfterCommit[];
  /** Runs the correction of an ended call, in its transaction. */
  aroundCorrection: Correction;
}

/** Counts an ended call by its outcome. */
export function countEndedCall(metrics: Metrics, session: Session): void {
  const { status, call_status, end_reason } = session;
  const call_direction = directionOf(session);
  if (!isFinal({ status }) || !call_direction || !call_status) return;
  metrics.callsEnded.inc({ call_direction, call_status, end_reason: end_reason ?? 'unknown' });
}

/** A session to insert. */
type Addition = Omit<NewSession, 'id' | 'session_data' | 'created_at' | 'updated_at'> & {
  session_data?: object | undefined;
};

/** Operations on sessions. */
export function createSessions({ db, clock, metrics, agents, rooms, listeners, afterCommit, aroundCorrection }: Deps) {
  const lookups = createLookups(db);
  const views = createViews({ db, agents, lookups });
  const { transact, change } = createTransitions({ db, clock, listeners, afterCommit });
  const markAgentJoined = createGroupCommit<string, undefined>({
    limits: { batch_size: 200, queue_depth: 100_000 },
    runBatch: async (ids) => {
      await markAgentsJoined(db, ids, clock.now());
      return ids.map(() => undefined);
    },
  });

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function get(id: string, caller: string | null, within?: Db): Promise<Session> {
    if (!isId(id)) throw new AppError('not_found');
    return owned(within ? await findSession(within, id) : await lookups.byId(id.toLowerCase()), caller);
  }

  async function getByRoom(room_name: string, caller: string | null): Promise<Session> {
    return owned(textProblem(room_name) ? undefined : await lookups.byRoom(room_name), caller);
  }

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
   * The session after the signal; null if the signal changes nothing: it is late, repeated, or not possible from
   * here.
   */
  async function apply(id: string, signal: Signal): Promise<Session | null> {
    return (await change({ id, signal }))?.after ?? null;
  }

  /** Ends a live session and hangs up; no effect on an ended one. */
  async function end(session: Session, end_reason: string): Promise<Session> {
    const changed = await apply(session.id, { kind: 'ended', at: clock.now(), end_reason });
    if (changed) await rooms.close(changed.room_name);
    return changed ?? get(session.id, null);
  }

  /** Merges `metadata`; `ended_at` and `duration` end a live session, or correct the figures of an ended one. */
  async function update(id: string, input: Static<typeof SessionUpdate>, caller: string | null): Promise<Session> {
    await get(id, caller);
    const now = clock.now();
    const given = {
      ended_at: input.ended_at ? new Date(input.ended_at) : undefined,
      duration: input.duration ?? undefined,
    };
    const isEnding = given.ended_at !== undefined || given.duration !== undefined;
    const { session, ended } = await transact(async (trx, applyChanges) => {
      const before = owned(await lockSession(trx, id), caller);
      // A late update must not restore erased data.
      if (before.erased_at !== null) throw new AppError('not_found');
      const data = input.metadata ? { session_data: await mergedData(trx, id, input.metadata) } : {};
      const write = (figures: object) => updateSession(trx, id, { updated_at: now, ...data, ...figures });
      if (!isEnding) return { session: await write({}), ended: false };
      assertAfterStart(before, given);
      if (input.metadata) await write({});
      const signal = { kind: 'ended', at: now, end_reason: 'ended_by_agent', ...given } as const;
      const [changed] = await applyChanges([{ id, signal }]);
      if (changed) return { session: changed.after, ended: true };
      const corrected = figures(before.started_at, before.ended_at ?? now, given);
      return { session: await aroundCorrection(trx, id, () => write(corrected)), ended: false };
    });
    if (ended) await rooms.close(session.room_name);
    return session;
  }

  /** Sets the gauges of open calls. */
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
    addEach,
    create,
    apply,
    transact,
    end,
    update,
    reportOutcome: createOutcomes({ clock, rooms, transact, aroundCorrection }),
    closeRoom: rooms.close,
    /** Whether the room has a session of the user. */
    hasRoom: async (user_id: string, room_name: string) => (await lookups.byRoom(room_name))?.user_id === user_id,
    /** The session of a room, of any user; undefined if there is none. */
    findByRoom: lookups.byRoom,
    listOpenCalls: () => listOpenCalls(db),
    listOpenConversations: () => listOpenConversations(db),
    listUnbegunConversations: (created_before: Date, limit: number) =>
      listUnbegunConversations(db, created_before, limit),
    /** Records that the rooms of these conversations were seen. */
    markRoomsSeen: (rooms: string[]) => markRoomsSeen(db, rooms, clock.now()),
    /** The session, locked until the transaction ends. Throws `not_found`. */
    lock: async (trx: Db, id: string) => owned(await lockSession(trx, id), null),
    /** Records when the agent's worker was dispatched into the room of a conversation; null undoes that. */
    setDispatched: async (within: Db, id: string, dispatched_at: Date | null) => {
      await updateSession(within, id, { dispatched_at });
    },
    /** Session status by room name; rooms without a session are omitted. */
    statesByRoom: (rooms: string[]) => statesByRoom(db, rooms),
    /** Some sessions of a user, locked until the transaction ends. */
    lockSome: lockSomeSessions,
    /** Whether the user has any session. */
    hasAny: hasSessions,
    /** Anonymizes sessions, which then belong to the pseudonym. */
    erase: (trx: Db, ids: string[], pseudonym: string) => eraseSessions(trx, ids, pseudonym, clock.now()),
    /** The variables and metadata of a call. */
    callData: (id: string) => findCallData(db, id),
    timeline: (id: string) => listSessionEvents(db, id),
    /** Records that the agent's worker has joined the room, the first time. */
    markAgentJoined,
    /** Records on the session that it was transferred; null undoes that. */
    markTransferred: (trx: Db, id: string, transfer: Pick<Session, 'transferred_to' | 'transfer_type'>) => {
      const now = clock.now();
      const transfer_timestamp = transfer.transferred_to === null ? null : now;
      return updateSession(trx, id, { ...transfer, transfer_timestamp, updated_at: now });
    },
  };
}
