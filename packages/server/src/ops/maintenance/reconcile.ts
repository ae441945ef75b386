import type { Inbound } from '../../calling/calls/inbound.ts';
import type { Cause, Conductor } from '../../calling/conductor/conductor.ts';
import { isFinal, type Session, type Sessions } from '../../conversations/sessions/sessions.ts';
import { endLease, takeLease } from '../../db/lease.ts';
import { newId } from '../../lib/ids.ts';
import type { Platform } from '../../platform.ts';
import type { Rooms } from '../../providers/rooms.ts';
import { createMissing } from './missing.ts';
import { createRoomReconciler } from './reconcile-rooms.ts';
import { SKIPPED } from './upkeep.ts';

/** Age at which a conversation without a room has ended, whether its room was never seen or nobody ever joined. */
export const NEVER_STARTED_AFTER_MS = 24 * 60 * 60 * 1000;
/** Conversations without a room that are ended per round. */
const NEVER_STARTED_BATCH = 200;
/** Sessions checked per round although their room looks normal: a lost event, or a dead server. */
export const SAMPLE = 20;
/** The same, while rooms are suspected to have lost their server. */
const LARGE_SAMPLE = 200;

/**
 * How long a replica holds the reconciler's lease after the start of a round, in milliseconds: through its pause and a
 * round that takes as long. When it dies another one takes over within that time and one interval.
 */
export function reconcilerLeaseMs(intervalMs: number): number {
  return intervalMs * 2 + 1000;
}

interface Deps extends Pick<Platform, 'db' | 'clock' | 'log' | 'metrics'> {
  rooms: Rooms;
  sessions: Sessions;
  inbound: Inbound;
  conductor: Conductor;
  /** Sessions with transfers whose process may have died. */
  listStaleTransfers: () => Promise<Set<string>>;
  intervalMs: number;
}

/** The media provider's view in one round. */
interface Found {
  listed: Map<string, { people: number }>;
  /** Rooms that are listed although no server hosts them. */
  abandoned: Set<string>;
  sample: Session[];
  stale: Set<string>;
}

/** Waits for the work and collects its failure. */
type InTurn = (work: Promise<unknown>) => Promise<unknown>;

/**
 * Reconciles open sessions with the media provider and settles those whose events were lost. One replica at a time.
 * Never dials. All rooms are listed in one request; only calls whose room looks inconsistent, and a few others in
 * rotation, are checked one by one.
 */
export function createReconciler(deps: Deps) {
  const { db, clock, rooms, sessions, conductor, listStaleTransfers, intervalMs } = deps;
  const roomReconciler = createRoomReconciler(deps);
  const leaseMs = reconcilerLeaseMs(intervalMs);
  /** This replica's name as the lease holder. */
  const holder = newId();
  const missing = createMissing(clock);
  let sampled = '';

  return async function reconcile(): Promise<typeof SKIPPED | undefined> {
    missing.begin();
    if (!(await takeLease(db, 'reconcile', holder, leaseMs))) return skip();
    // Calls first: by the time the rooms are listed, these calls have created theirs or are about to.
    const calls = await sessions.listOpenCalls();
    const listed = await listRooms();
    await sessions.markRoomsSeen([...listed.keys()]);
    const conversations = await sessions.listOpenConversations();
    const sample = nextSample([...calls, ...conversations]);
    roomReconciler.keepListed(listed);
    const probed = sample.map(({ room_name }) => room_name).filter((room) => listed.has(room));
    const abandoned = await roomReconciler.findAbandoned(probed);
    // One failure must not stop the rest: it is thrown at the end.
    const failures: unknown[] = [];
    const inTurn: InTurn = (work) => work.catch((err: unknown) => failures.push(err));
    const found = { listed, abandoned, sample, stale: await listStaleTransfers() };
    await reconcileCalls(calls, found, inTurn);
    await endConversations(conversations, found, inTurn);
    missing.end();
    // Session states are read after the rooms, so that callers who joined in between have a session.
    const ofCalls = new Set(calls.map(({ room_name }) => room_name));
    await inTurn(roomReconciler.settleOrphaned([...listed.keys()].filter((room) => !ofCalls.has(room))));
    if (failures.length > 0) throw failures[0];
  };

  /** A replica that cannot reach the media server leaves the next round to one that may. */
  async function listRooms(): Promise<Found['listed']> {
    try {
      return await rooms.listRooms();
    } catch (error) {
      // If this fails, the lease expires by itself.
      await endLease(db, 'reconcile', holder).catch(() => {});
      throw error;
    }
  }

  /** Leaves the round to the replica that has the lease. */
  function skip(): typeof SKIPPED {
    roomReconciler.forget();
    return SKIPPED;
  }

  function nextSample(sessions: Session[]): Session[] {
    const open = sessions.sort((one, other) => (one.id < other.id ? -1 : 1));
    const after = open.filter((call) => call.id > sampled);
    const size = roomReconciler.isSuspicious() ? LARGE_SAMPLE : SAMPLE;
    const sample = (after.length > 0 ? after : open).slice(0, size);
    sampled = sample.at(-1)?.id ?? '';
    return sample;
  }

  async function reconcileCalls(calls: Session[], found: Found, inTurn: InTurn): Promise<void> {
    const sampled = new Set(found.sample.map(({ id }) => id));
    for (const call of calls) {
      const isAbandoned = found.abandoned.has(call.room_name);
      // Requests about its participants would take seconds and fail.
      if (!isAbandoned && roomReconciler.isUnanswered(call.room_name)) continue;
      const people = found.listed.get(call.room_name)?.people ?? null;
      const missedBefore = missing.missedBefore(call);
      const isSampled = sampled.has(call.id) || missedBefore !== null || found.stale.has(call.id);
      await inTurn(lookAt(call, { kind: 'round', people, isAbandoned, isSampled, missingSince: missedBefore }));
    }
  }

  async function lookAt(listed: Session, round: Extract<Cause, { kind: 'round' }>): Promise<void> {
    // A call that nobody was left in has mostly been ended by its events by its turn: one statement tells, in place of
    // a request and several.
    const call = round.people ? listed : await sessions.get(listed.id, null);
    if (isFinal(call)) return;
    const { isMissed } = await conductor.look(call, round);
    if (isMissed) missing.missingSince(call);
  }

  async function endConversations(open: Session[], { listed, abandoned }: Found, inTurn: InTurn): Promise<void> {
    for (const conversation of open) {
      const { room_name } = conversation;
      if (abandoned.has(room_name) || (!listed.has(room_name) && missing.missingSince(conversation)))
        await inTurn(sessions.end(conversation, 'room_ended'));
    }
    // None of them is listed: those that are were just marked as seen.
    const createdBefore = new Date(clock.now().getTime() - NEVER_STARTED_AFTER_MS);
    for (const conversation of await sessions.listNeverStarted(createdBefore, NEVER_STARTED_BATCH))
      if (missing.missingSince(conversation)) await inTurn(sessions.end(conversation, 'room_ended'));
  }
}
