import { createGroupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { throwAll } from '../../lib/failure-log.ts';
import type { Logger } from '../../lib/log.ts';
import type { Metrics } from '../../lib/metrics.ts';
import type { Media, MediaEvent } from '../../providers/media/media.ts';
import type { Inbound } from '../calls/inbound.ts';
import type { Settle } from '../calls/settle.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createAct, isActedOn } from './act.ts';
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
export function createMediaEvents(deps: Deps) {
  const { db, clock, log, media, sessions, metrics } = deps;
  const act = createAct(deps);
  const inFlight = new Set<Promise<void>>();

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
      .finally(() => inFlight.delete(work));
    inFlight.add(work);
  }

  async function handle(event: MediaEvent): Promise<void> {
    await act(event);
    await markAsHandled(event);
  }

  /**
   * Handles events that a process stored before it died, and deletes old ones. Throws the failures after all were
   * tried; each may repeat with every round.
   */
  async function resume(): Promise<void> {
    const now = clock.now().getTime();
    const failures: unknown[] = [];
    for (const { id, body, received_at } of await listUnhandled(db, new Date(now - UNHANDLED_AFTER_MS), BATCH)) {
      const event = { ...media.parseEvent(body), id };
      await handle(event).catch(async (err: unknown) => {
        if (now - received_at.getTime() <= GIVEN_UP_AFTER_MS)
          return void failures.push(new Error(`media event ${id}`, { cause: err }));
        log.error({ err, media_event: id }, 'a media event is given up');
        await markHandled(db, [id], clock.now(), []);
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

function ids(events: MediaEvent[]): string[] {
  return events.map(({ id }) => id);
}
