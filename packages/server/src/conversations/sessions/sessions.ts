import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { isId } from '../../lib/ids.ts';
import { textProblem } from '../../lib/json.ts';
import type { Platform } from '../../platform.ts';
import type { Agents } from '../agents/agents.ts';
import { createAdditions } from './additions.ts';
import { auditCorrection } from './corrections.ts';
import { directionOf, numbersOf } from './direction.ts';
import { createFailovers } from './failovers.ts';
import { assertTakesReports, isFinal, type Signal } from './lifecycle.ts';
import { createLookups } from './lookups.ts';
import { measureOpenCalls } from './metrics.ts';
import { type Correction, createOutcomes } from './outcome.ts';
import type { RoomCloser } from './room-closer.ts';
import {
  eraseSessions,
  findCallData,
  findSession,
  hasSessions,
  listNeverStarted,
  listOpenCalls,
  listOpenConversations,
  listRecentCalls,
  lockSession,
  lockSomeSessions,
  markRoomsSeen,
  type Session,
  type SessionFilter,
  type ShownSession,
  statesByRoom,
  updateSession,
} from './store.ts';
import { listTimeline } from './timeline-store.ts';
import { type AfterEnd, createTransitions, type Listener, type Transition } from './transition.ts';
import { markAgentsJoined } from './transition-store.ts';
import { createUpdate } from './update.ts';
import { createViews, owned } from './views.ts';

export {
  assertTakesReports,
  auditCorrection,
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

interface Deps extends Pick<Platform, 'db' | 'clock' | 'metrics'> {
  agents: Agents;
  /** Hangs up on everybody in a room. */
  closeRoom: RoomCloser['close'];
  listeners: Listener[];
  afterEnd: AfterEnd[];
  /** Runs the correction of an ended call, in its transaction. */
  aroundCorrection: Correction;
}

/** Operations on sessions. */
export function createSessions({ db, clock, metrics, agents, closeRoom, listeners, afterEnd, aroundCorrection }: Deps) {
  const lookups = createLookups(db);
  const views = createViews({ db, agents, lookups });
  const { transact, apply } = createTransitions({ db, clock, listeners, afterEnd });
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

  /** Ends a live session and hangs up; no effect on an ended one. */
  async function end(session: Session, end_reason: string, at = clock.now()): Promise<Session> {
    const changed = await apply(session.id, { kind: 'ended', at, end_reason });
    if (changed) await closeRoom(changed.room_name);
    return changed ?? get(session.id, null);
  }

  return {
    get,
    getByRoom,
    ...views,
    ...createAdditions({ db, clock, agents, getByRoom }),
    apply,
    transact,
    end,
    update: createUpdate({ clock, transact, aroundCorrection, get }),
    reportOutcome: createOutcomes({ clock, transact, aroundCorrection }),
    ...createFailovers({ db, clock }),
    measure: () => measureOpenCalls(db, metrics, clock),
    closeRoom,
    /** Whether the room has a session of the user. */
    hasRoom: async (user_id: string, room_name: string) => (await lookups.byRoom(room_name))?.user_id === user_id,
    /** The session of a room, of any user; undefined if there is none. */
    findByRoom: lookups.byRoom,
    /** The newest inbound calls from one caller to one number. */
    listRecentCalls,
    listOpenCalls: () => listOpenCalls(db),
    listOpenConversations: () => listOpenConversations(db),
    listNeverStarted: (created_before: Date, limit: number) => listNeverStarted(db, created_before, limit),
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
    timeline: (id: string) => listTimeline(db, id),
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
