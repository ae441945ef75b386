import type { Static } from 'typebox';
import type { Content } from '../../access/data-keys/content.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import type { TrunkAttempt } from '../../db/trunk-columns.ts';
import { AppError } from '../../lib/errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { mergePatch, textProblem } from '../../lib/json.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { owned } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Rooms } from '../../providers/rooms.ts';
import type { Agents } from '../agents/agents.ts';
import { privacyColumns } from '../agents/privacy.ts';
import { createExpiry } from './expiry.ts';
import { createFailovers } from './failovers.ts';
import {
  assertTakesReports,
  completeAt,
  directionOf,
  isFinal,
  latest,
  numbersOf,
  type Signal,
  takesReports,
} from './lifecycle.ts';
import { createLookups } from './lookups.ts';
import { auditCorrection, type Correction, createOutcomes } from './outcome.ts';
import { createRedactions } from './redaction.ts';
import type { SessionCreate } from './schema.ts';
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
  openCallsByStatus,
  type Session,
  type SessionFilter,
  type ShownSession,
  statesByRoom,
  updateSession,
} from './store.ts';
import { listTimeline } from './timeline-store.ts';
import {
  type Addition,
  type AfterEnd,
  createTransitions,
  type LeftAt,
  type Listener,
  type Transition,
} from './transition.ts';
import { type AgentJoin, markAgentsJoined, recordSipIds, type SipDialog, type SipIds } from './transition-store.ts';
import { createUpdate } from './update.ts';
import { createViews } from './views.ts';

export {
  assertTakesReports,
  auditCorrection,
  completeAt,
  directionOf,
  isFinal,
  latest,
  numbersOf,
  type Session,
  type SessionFilter,
  type ShownSession,
  type Signal,
  type SipDialog,
  type SipIds,
  type Transition,
  takesReports,
};

export type Sessions = ReturnType<typeof createSessions>;

type Transferred = Pick<Session, 'transferred_to' | 'transfer_type'> & Partial<Pick<Session, 'transfer_timestamp'>>;

/** Hangs up on everybody in a room. */
type CloseRoom = (session: Pick<Session, 'room_name'>) => Promise<void>;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'metrics'> {
  agents: Agents;
  content: Content;
  closeRoom: CloseRoom;
  leftAt: LeftAt;
  listeners: Listener[];
  afterEnd: AfterEnd[];
  /** Runs the correction of an ended call, in its transaction. */
  aroundCorrection: Correction;
}

/** Operations on sessions. */
export function createSessions(deps: Deps) {
  const { db, clock, metrics, agents, content, closeRoom, aroundCorrection } = deps;
  const lookups = createLookups(db);
  const views = createViews({ db, agents, lookups });
  const { addEach, transact, apply, settled } = createTransitions(deps);
  const markAgentJoined = createGroupCommit<AgentJoin, undefined>({
    limits: { batch_size: 200, queue_depth: 100_000 },
    runBatch: async (joins) => {
      await markAgentsJoined(db, joins);
      return joins.map(() => undefined);
    },
  });

  /** Throws `not_found` for an id that is unknown, malformed or another user's. */
  async function get(id: string, caller: string | null, within?: Db): Promise<Session> {
    const find = () => (within ? findSession(within, id) : lookups.byId(id.toLowerCase()));
    return owned(isId(id) ? await find() : undefined, caller);
  }

  async function getByRoom(room_name: string, caller: string | null): Promise<Session> {
    return owned(textProblem(room_name) ? undefined : await lookups.byRoom(room_name), caller);
  }

  async function add(trx: Db, session: Addition): Promise<Session | undefined> {
    return (await addEach(trx, [session]))[0];
  }

  /**
   * Opens a conversation that is not an outbound call; returns the existing one if the user already has one in that
   * room.
   */
  async function create({ user_id, agent_id, ...input }: Static<typeof SessionCreate>): Promise<Session> {
    const agent = typeof agent_id === 'string' ? await agents.forOne({ id: agent_id, user_id }) : null;
    const room_name = input.room_name ?? `room-${newId()}`;
    const session = await db.transaction().execute(async (trx) => {
      const rules = agent ?? { config: {}, user_privacy: await agents.privacyOf(user_id, trx) };
      return add(trx, {
        room_name,
        user_id,
        agent_id: agent?.id ?? null,
        agent_version: agent?.version ?? null,
        ...privacyColumns(rules, clock.now()),
        status: 'ACTIVE',
        started_at: clock.now(),
        session_data: mergePatch(input.session_data ?? {}, input.metadata ?? {}),
      });
    });
    if (session) return session;
    const existing = await getByRoom(room_name, null);
    if (existing.user_id !== user_id) throw new AppError('room_taken');
    return existing;
  }

  /** Ends a live session and hangs up, once that is recorded or its phone has left; no effect on an ended one. */
  async function end(session: Session, end_reason: string): Promise<Session> {
    return (await apply(session.id, { kind: 'ended', end_reason })) ?? get(session.id, null);
  }

  return {
    get,
    getByRoom,
    ...views,
    addEach,
    add,
    create,
    apply,
    transact,
    settled,
    end,
    /** Notes the trunks of a call whose state had changed before its outcome was known. */
    noteTrunks: async (id: string, trunks: TrunkAttempt[]) => {
      await updateSession(db, id, { trunks: JSON.stringify(trunks) });
    },
    update: createUpdate({ clock, content, transact, aroundCorrection, get }),
    reportOutcome: createOutcomes({ clock, transact, aroundCorrection }),
    ...createFailovers({ db, clock }),
    ...createExpiry({ db, clock }),
    measure: () => measureOpenCalls({ db, clock, metrics }),
    closeRoom,
    redactions: createRedactions(metrics),
    /** Whether the room has a session of the user. */
    hasRoom: async (user_id: string, room_name: string) => (await lookups.byRoom(room_name))?.user_id === user_id,
    /** The session of a room, of any user; undefined if there is none. */
    findByRoom: lookups.byRoom,
    /** The recent inbound calls from one caller to one number. */
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
    /** Requests that came with a call, for its worker. */
    callData: (id: string) => findCallData(db, id),
    timeline: (id: string) => listTimeline(db, id),
    /** Records that the agent's worker has joined the room, the first time. */
    markAgentJoined,
    /** Records how the bridge names the phones of calls, as it tells when they have left. */
    recordSipIds: (seen: SipIds[]) => recordSipIds(db, seen),
    /** Records on the session that it was transferred, now or at `transfer_timestamp`; null undoes that. */
    markTransferred: (trx: Db, id: string, transfer: Transferred) => {
      const now = clock.now();
      const transfer_timestamp = transfer.transferred_to === null ? null : now;
      return updateSession(trx, id, { transfer_timestamp, ...transfer, updated_at: now });
    },
  };
}

/**
 * Closes the rooms of sessions. A failure is only logged: the reconciler closes the rooms of ended sessions.
 */
export function createRoomCloser({ rooms, log }: { rooms: Rooms } & Pick<Platform, 'log'>): CloseRoom {
  return ({ room_name }) =>
    rooms.closeRoom(room_name).catch((err: unknown) => log.warn({ err, room_name }, 'closing a room failed'));
}

/** Counts ended calls by their outcomes. */
export function createEndCounter({ callsEnded }: Metrics): AfterEnd {
  return (session) => {
    const { call_status, end_reason } = session;
    const call_direction = directionOf(session);
    if (!call_direction || !call_status) return;
    callsEnded.inc({ call_direction, call_status, end_reason: end_reason ?? 'unknown' });
  };
}

/** Sets the gauges of open calls. */
async function measureOpenCalls({ db, clock, metrics }: Pick<Platform, 'db' | 'clock' | 'metrics'>): Promise<void> {
  const byStatus = await openCallsByStatus(db);
  for (const call_status of ['RINGING', 'ANSWERED'] as const) {
    const found = byStatus.find((row) => row.call_status === call_status);
    metrics.openCalls.set({ call_status }, found?.count ?? 0);
    const age = found ? clock.now().getTime() - new Date(found.oldest).getTime() : 0;
    metrics.oldestCall.set({ call_status }, age / 1000);
  }
}
