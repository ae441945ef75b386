import { isFinal, type Session, type Sessions, type SipIds } from '../../conversations/sessions/sessions.ts';
import { createGroupCommit } from '../../db/group-commit.ts';
import { AppError } from '../../lib/errors.ts';
import { throwAll } from '../../lib/failure-log.ts';
import type { Platform } from '../../platform.ts';
import type { Events, MediaEvent } from '../../providers/events.ts';
import { BROWSER_IDENTITY, type Participant } from '../../providers/rooms.ts';
import type { Inbound } from '../calls/inbound.ts';
import type { Cause, Conductor } from '../conductor/conductor.ts';
import { dialogOf, isColleague } from '../conductor/parties.ts';
import {
  countUnhandled,
  deleteHandled,
  deleteOfRooms,
  forgetEvents,
  insertMediaEvents,
  listUnhandled,
  markHandled,
} from './store.ts';

export type MediaEvents = ReturnType<typeof createMediaEvents>;

/** Longer than handling an event takes: older ones were left by a process that died. */
const UNHANDLED_AFTER_MS = 10_000;
/** How long the answer of a phone that has left may take to be committed, and the pause between two looks. */
const [ANSWER_MS, POLL_INTERVAL_MS] = [5_000, 250];
/**
 * Age at which the reconciler has settled whatever the event reported: unless the media server does not
 * respond, without which it settles nothing. It needs the time of the event then.
 */
const GIVEN_UP_AFTER_MS = 10 * 60 * 1000;
const KEPT_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;
/** Characters per statement, and characters that may queue: each body may have up to a mebibyte. */
const STORE_LIMITS = { batch_size: 1_000_000, queue_depth: 20_000_000 };
/** Bytes that an event takes besides its body. */
const ROW = 500;
/** Large: stored events must not be refused, or they would wait for `resume`. */
const HANDLED_LIMITS = { batch_size: 1000, queue_depth: 1_000_000 };
/** Labels of the metrics. A fixed set, so that the sender cannot create any number of labels. */
const KINDS = new Set([
  'room_started',
  'room_finished',
  'participant_joined',
  'participant_left',
  'participant_connection_aborted',
  'track_published',
  'track_unpublished',
]);

type Received = MediaEvent & {
  body: string;
  received_at: Date;
  /** The reason that it gives to look at a session; without one it only needs to be stored. */
  cause: Cause | undefined;
};

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'metrics'> {
  source: Events;
  sessions: Sessions;
  inbound: Inbound;
  conductor: Conductor;
}

/**
 * Receives the media provider's events: stored first, acknowledged, then handled. Neither order nor delivery is
 * relied on.
 */
export function createMediaEvents(deps: Deps) {
  const { db, clock, log, source, sessions, inbound, conductor, metrics } = deps;
  const inFlight = new Set<Promise<void>>();

  /** True for an event that was not stored before. */
  const store = createGroupCommit<Received, boolean>({
    sizeOf: ({ body }) => ROW + body.length,
    limits: STORE_LIMITS,
    runBatch: async (events) => {
      const first = new Map(events.toReversed().map((event) => [event.id, event]));
      const rows = first.values().map((event) => ({ ...event, handled_at: event.cause ? null : event.received_at }));
      const inserted = await insertMediaEvents(db, [...rows]);
      await forgetUnknown([...first.values()].filter(({ id, cause }) => !cause && inserted.has(id)));
      return events.map((event) => first.get(event.id) === event && inserted.has(event.id));
    },
  });

  const markAsHandled = createGroupCommit<{ id: string; names: SipIds | null }, void>({
    limits: HANDLED_LIMITS,
    runBatch: async (events) => {
      await sessions.recordSipIds(events.flatMap(({ names }) => names ?? []));
      await markHandled(db, ids(events), clock.now());
      return events.map(() => undefined);
    },
  });

  /**
   * An event's body is deleted with its session's user; at once if it has no session or the user was erased. Looks for
   * sessions after storing, so that an erasure finds the events or is found here.
   */
  async function forgetUnknown(events: Received[]): Promise<void> {
    if (events.length === 0) return;
    const known = await sessions.statesByRoom([...new Set(events.flatMap(({ room_name }) => room_name ?? []))]);
    const unknown = events.filter(({ room_name }) => room_name === null || !known.has(room_name));
    if (unknown.length > 0) await forgetEvents(db, ids(unknown), clock.now());
  }

  /** Resolves once the event is stored. Throws `invalid_signature`, or `InvalidRequest` if it is not a JSON object. */
  async function receive(body: string, authorization?: string): Promise<void> {
    const received_at = clock.now();
    const parsed = await source.readEvent(body, authorization);
    const event = { ...parsed, body, received_at, cause: causeOf(parsed, received_at) };
    if (!(await store(event))) return;
    metrics.mediaEvents.inc({ event: KINDS.has(event.name) ? event.name : 'other' });
    if (!event.cause) return;
    const work = handle(event)
      .catch((err: unknown) =>
        log.error({ err, media_event: event.id }, 'handling a media event failed; it will be retried'),
      )
      .finally(() => inFlight.delete(work));
    inFlight.add(work);
  }

  async function handle(event: Received): Promise<void> {
    const { id, room_name, cause } = event;
    const isNamed = room_name !== null && cause !== undefined && (await look(room_name, cause));
    await markAsHandled({ id, names: isNamed ? null : namesOf(event) });
  }

  /**
   * Has the conductor look at the session of a room, for the reason that an event gave. True if it has recorded how the
   * bridge names the phone.
   */
  async function look(room_name: string, cause: Cause): Promise<boolean> {
    const session = await sessionOf(deps, room_name, cause);
    if (!session) {
      // Other rooms belong to other applications or installations on the same media server.
      const isCaller = cause.kind === 'joined' && cause.participant.kind === 'SIP';
      if (isCaller && inbound.isInboundRoom(room_name)) await inbound.receive(room_name);
      return false;
    }
    // If the event of the room's end is lost, the reconciler ends the conversation: it needs to know that there was a
    // room.
    if (session.call_status === null && session.room_seen_at === null && !isFinal(session))
      await sessions.markRoomsSeen([room_name]);
    return (await conductor.look(session, cause)).isNamed;
  }

  /**
   * Handles events that a process stored before it died, and deletes old ones. Throws the failures after all were
   * tried; each may repeat with every round.
   */
  async function resume(): Promise<void> {
    const now = clock.now().getTime();
    const failures: unknown[] = [];
    for (const { id, body, received_at } of await listUnhandled(db, new Date(now - UNHANDLED_AFTER_MS), BATCH)) {
      const parsed = source.parseEvent(body);
      const event = { ...parsed, id, body, received_at, cause: causeOf(parsed, received_at) };
      await handle(event).catch(async (err: unknown) => {
        if (now - received_at.getTime() <= (isOutage(err) ? KEPT_MS : GIVEN_UP_AFTER_MS))
          return void failures.push(new Error(`media event ${id}`, { cause: err }));
        log.error({ err, media_event: id }, 'a media event is given up');
        await forgetEvents(db, [id], clock.now());
      });
    }
    await deleteHandled(db, new Date(now - KEPT_MS));
    throwAll(failures);
  }

  return {
    receive,
    resume,
    eraseRooms: deleteOfRooms,
    /** Sets the gauge of unhandled events. */
    measure: async () => metrics.unhandledEvents.set(await countUnhandled(db)),
    /** Resolves when every event received by this process has been handled. */
    settled: async () => {
      await Promise.all(inFlight);
    },
  };
}

/**
 * The session of a room. A phone may leave before the process that dials it has committed its answer: a call that was
 * still ringing would go on without its phone, until the reconciler misses it.
 */
async function sessionOf(
  { clock, sessions }: Pick<Deps, 'clock' | 'sessions'>,
  room_name: string,
  cause: Cause,
): Promise<Session | undefined> {
  let session = await sessions.findByRoom(room_name);
  if (cause.kind !== 'left' || cause.participant.phone === null) return session;
  // Not waited for where the phone left long ago, before a process died.
  const age = clock.now().getTime() - cause.participant.time.received_at.getTime();
  const until = performance.now() + ANSWER_MS - age;
  while (isRingingOut(session) && performance.now() < until) {
    await clock.sleep(POLL_INTERVAL_MS);
    session = await sessions.findByRoom(room_name);
  }
  return session;
}

function isRingingOut(session: Session | undefined): boolean {
  return session?.call_direction === 'OUTBOUND' && session.call_status === 'RINGING';
}

const isOutage = (error: unknown): boolean =>
  error instanceof AppError && ['provider_unavailable', 'provider_timeout'].includes(error.code);

function namesOf({ room_name, cause }: Received): SipIds | null {
  const dialog = cause && dialogOf(cause);
  return room_name !== null && dialog ? { room_name, ...dialog } : null;
}

function ids(events: { id: string }[]): string[] {
  return events.map(({ id }) => id);
}

/** The reason to look at a session; undefined for events that only need to be stored, as most about tracks. */
function causeOf(event: MediaEvent, received_at: Date): Cause | undefined {
  const { kind, room_name, participant, created_at } = event;
  if (room_name === null) return undefined;
  const time = { created_at, received_at };
  if (kind === 'room_ended') return { kind, time };
  if (kind === 'other' || !participant || isColleague(participant)) return undefined;
  // Others who join cannot begin a call, and need not leave the room of one that has ended.
  if (kind === 'joined') return mayBegin(participant) ? { kind, participant } : undefined;
  if (kind === 'audio_started') return { kind, identity: participant.identity, time };
  return { kind, participant: { ...participant, time } };
}

function mayBegin({ kind, identity }: Participant): boolean {
  return kind === 'SIP' || kind === 'AGENT' || identity === BROWSER_IDENTITY;
}
