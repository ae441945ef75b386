import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { BROWSER_IDENTITY, type Media, type MediaEvent, type Participant } from '../../providers/media/media.ts';
import type { Inbound } from '../calls/inbound.ts';
import type { Settle } from '../calls/settle.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';
import {
  countUnhandled,
  deleteHandled,
  deleteOfRooms,
  insertMediaEvents,
  listUnhandled,
  markHandled,
} from './store.ts';

export type MediaEvents = ReturnType<typeof createMediaEvents>;

/** Longer than handling an event takes: older ones were left by a process that died. */
const UNHANDLED_AFTER_MS = 10_000;
/** Age at which the reconciler has settled whatever the event reported. */
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

/** Events about a participant. */
const ACTED_ON = new Set(['participant_left', 'participant_connection_aborted', 'track_published']);

interface Deps {
  db: Db;
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  inbound: Inbound;
  settle: Settle;
  metrics: Metrics;
}

/**
 * Receives the media provider's events: stored first, acknowledged, then handled. Neither order nor delivery is
 * relied on.
 */
export function createMediaEvents({ db, clock, log, media, sessions, inbound, settle, metrics }: Deps) {
  const underWay = new Set<Promise<void>>();

  /** True for an event that was not stored before. */
  const store = createGroupCommit<MediaEvent & { body: string }, boolean>({
    sizeOf: ({ body }) => ROW + body.length,
    limits: STORE_LIMITS,
    runBatch: async (events) => {
      const first = new Map(events.toReversed().map((event) => [event.id, event]));
      const inserted = await insertMediaEvents(db, [...first.values()].map(toRow));
      await forgetUnknown([...first.values()].filter((event) => !isActedOn(event) && inserted.has(event.id)));
      return events.map((event) => first.get(event.id) === event && inserted.has(event.id));
    },
  });

  function toRow(event: MediaEvent & { body: string }) {
    const { id, body, room_name } = event;
    const received_at = clock.now();
    return { id, body, room_name, received_at, handled_at: isActedOn(event) ? null : received_at };
  }

  const markAsHandled = createGroupCommit<MediaEvent, void>({
    limits: HANDLED_LIMITS,
    runBatch: async (events) => {
      await markHandled(db, ids(events), clock.now(), ids(await ofKnownRooms(events)));
      return events.map(() => undefined);
    },
  });

  /** The events whose rooms have a session; read after storing, so that an erasure finds them or is found here. */
  async function ofKnownRooms(events: MediaEvent[]): Promise<MediaEvent[]> {
    const known = await sessions.statesByRoom([...new Set(events.flatMap(({ room_name }) => room_name ?? []))]);
    return events.filter(({ room_name }) => room_name !== null && known.has(room_name));
  }

  /** An event's body is deleted with its session's user; at once if it has no session or the user was erased. */
  async function forgetUnknown(events: MediaEvent[]): Promise<void> {
    const kept = new Set(await ofKnownRooms(events));
    const unknown = events.filter((event) => !kept.has(event));
    if (unknown.length > 0) await markHandled(db, ids(unknown), clock.now(), []);
  }

  /** Resolves once the event is stored. Throws `invalid_signature`, or `InvalidRequest` if it is not a JSON object. */
  async function receive(body: string, authorization: string | undefined): Promise<void> {
    const event = await media.readEvent(body, authorization);
    if (!(await store({ ...event, body }))) return;
    metrics.mediaEvents.inc({ event: KINDS.has(event.event) ? event.event : 'other' });
    if (isActedOn(event)) handleLater(event);
  }

  function handleLater(event: MediaEvent): void {
    const work = handle(event)
      .catch((err: unknown) =>
        log.error({ err, media_event: event.id }, 'handling a media event failed; it will be retried'),
      )
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function handle(event: MediaEvent): Promise<void> {
    await act(event);
    await markAsHandled(event);
  }

  async function act({ event, room_name, participant }: MediaEvent): Promise<void> {
    if (room_name === null) return;
    const session = await sessions.findByRoom(room_name);
    const hasJoined = event === 'participant_joined';
    const phoneJoined = hasJoined && participant?.kind === 'SIP';
    if (!session) {
      // Other rooms belong to other applications or installations on the same media server.
      if (phoneJoined && inbound.isInboundRoom(room_name)) await inbound.receive(room_name);
    } else if (hasJoined && isFinal(session)) {
      // A participant that was about to join a deleted room recreates it; it must not stay open.
      await sessions.closeRoom(room_name);
    } else if (phoneJoined) {
      if (session.call_direction === 'INBOUND') await inbound.receive(room_name);
    } else {
      await actOn(session, event, participant);
    }
  }

  async function actOn(session: Session, event: string, participant: MediaEvent['participant']): Promise<void> {
    if (event === 'room_finished') {
      await (session.call_status === null ? sessions.end(session, 'room_ended') : settle.settle(session));
      return;
    }
    // If the event of the room's end is lost, the reconciler ends the conversation: it needs to know that there was a
    // room.
    if (session.call_status === null && session.room_seen_at === null)
      await sessions.markRoomsSeen([session.room_name]);
    if (!participant) return;
    if (event === 'participant_joined') await settle.joined(session, participant);
    else if (event === 'track_published') await published(session, participant);
    else await settle.settle(session, participant);
  }

  /**
   * The bridge answers an inbound call once it receives the agent's audio. The event does not say whose track it is.
   */
  async function published(session: Session, { identity }: Participant): Promise<void> {
    if (session.call_direction !== 'INBOUND' || session.call_status !== 'RINGING') return;
    const participants = await media.listParticipants(session.room_name);
    const isAgent = participants.some(
      (participant) => participant.kind === 'AGENT' && participant.identity === identity,
    );
    if (isAgent) await sessions.apply(session.id, { kind: 'answered', at: clock.now() });
  }

  /**
   * Handles events that a process stored before it died, and deletes old ones. Throws the first failure after all were
   * tried; each may repeat with every round.
   */
  async function resume(): Promise<void> {
    const now = clock.now().getTime();
    const failures: unknown[] = [];
    for (const { id, body, received_at } of await listUnhandled(db, new Date(now - UNHANDLED_AFTER_MS), BATCH)) {
      const event = { ...media.parseEvent(body), id };
      await handle(event).catch(async (err: unknown) => {
        if (now - received_at.getTime() <= GIVEN_UP_AFTER_MS) return void failures.push(err);
        log.error({ err, media_event: id }, 'a media event is given up');
        await markHandled(db, [id], clock.now(), []);
      });
    }
    await deleteHandled(db, new Date(now - KEPT_MS));
    if (failures.length > 0) throw failures[0];
  }

  return {
    receive,
    resume,
    eraseRooms: deleteOfRooms,
    /** Sets the gauge of unhandled events. */
    measure: async () => metrics.unhandledEvents.set(await countUnhandled(db)),
    /** Resolves when every event received by this process has been handled. */
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

/** All others, mostly about tracks and new rooms, only need to be stored. */
function isActedOn({ event, room_name, participant }: MediaEvent): boolean {
  if (room_name === null) return false;
  if (event === 'participant_joined') return participant !== null && isParty(participant);
  return event === 'room_finished' || (participant !== null && ACTED_ON.has(event));
}

/** Whether a participant that joins may begin a call, or must leave the room of one that has ended. */
function isParty({ kind, identity }: Participant): boolean {
  return kind === 'SIP' || kind === 'AGENT' || identity === BROWSER_IDENTITY;
}

function ids(events: MediaEvent[]): string[] {
  return events.map(({ id }) => id);
}
