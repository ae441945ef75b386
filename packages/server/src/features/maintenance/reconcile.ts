import { takeLease } from '../../db/lease.ts';
import type { Db } from '../../db/tables.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Media } from '../../providers/media/media.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { CallReconciler } from './reconcile-calls.ts';
import type { RoomReconciler } from './reconcile-rooms.ts';

/**
 * A room or a phone may rightly be missing for a moment: before it is made, and while the event of its end is acted on.
 */
const GRACE_MS = 5_000;
/** By then a conversation without a room has ended, whether it had one while no process looked or nobody ever came. */
export const UNBEGUN_AFTER_MS = 24 * 60 * 60 * 1000;
/** Conversations without a room that are ended per round. */
const NEVER_STARTED_BATCH = 200;
/**
 * Sessions looked into a round although nothing about their room is odd: an agent may have left unheard, or a server
 * died.
 */
export const SAMPLE = 20;
/** The same, while rooms are suspected to have lost their server. */
const LARGE_SAMPLE = 200;

interface Deps {
  db: Db;
  clock: Clock;
  media: Media;
  sessions: Sessions;
  reconcileCall: CallReconciler;
  rooms: RoomReconciler;
  /** Brings transfers in step whose process may have died. */
  settleTransfers: () => Promise<void>;
  /**
   * How long a replica that died keeps the others waiting, milliseconds; somewhat longer than the pause between two
   * rounds.
   */
  leaseMs: number;
}

/**
 * Compares open sessions with the media provider and settles those whose events were lost. One replica does it at a
 * time. It never dials. All rooms are one request; only calls whose room looks inconsistent, and a few others in turn,
 * are checked one by one.
 */
export function createReconciler(deps: Deps) {
  const { db, clock, media, sessions, reconcileCall, rooms, settleTransfers, leaseMs } = deps;
  /** This replica's name for the lease. */
  const holder = newId();
  /** When a session was first seen without its room, or a call without its phone or anybody to talk to, by session. */
  let missing = new Map<string, number>();
  let sampled = '';

  return async function reconcile(): Promise<void> {
    if (!(await takeLease(db, 'reconcile', holder, leaseMs))) return;
    // Calls first: a call that is found has made its room by the time rooms are asked for, or is about to.
    const calls = await sessions.listOpenCalls();
    const listed = await media.listRooms();
    await sessions.markRoomsSeen([...listed.keys()]);
    const conversations = await sessions.listOpenConversations();
    const stillMissing = new Map<string, number>();
    const isMissing = (session: Session, graceMs = GRACE_MS) => {
      const since = missing.get(session.id) ?? clock.now().getTime();
      stillMissing.set(session.id, since);
      return clock.now().getTime() - since > graceMs;
    };
    const sample = nextSample([...calls, ...conversations]);
    rooms.keepListed(listed);
    const probed = sample.map(({ room_name }) => room_name).filter((room) => listed.has(room));
    const abandoned = await rooms.findAbandoned(probed);
    const sampledIds = new Set(sample.map(({ id }) => id));
    // One failure must not hold up the others: it is thrown after all had their turn.
    const failures: unknown[] = [];
    const inTurn = (work: Promise<unknown>) => work.catch((err: unknown) => failures.push(err));
    for (const call of calls) {
      const { room_name } = call;
      const isSampled = sampledIds.has(call.id) || missing.has(call.id);
      if (abandoned.has(room_name)) await inTurn(reconcileCall(call, undefined, { isMissing: () => true, isSampled }));
      // Asking about it would take seconds, in vain.
      else if (!rooms.isUnanswered(room_name))
        await inTurn(reconcileCall(call, listed.get(room_name), { isMissing, isSampled }));
    }
    for (const conversation of conversations) {
      const { room_name } = conversation;
      if (abandoned.has(room_name) || (!listed.has(room_name) && isMissing(conversation)))
        await inTurn(sessions.end(conversation, 'room_ended'));
    }
    // None of them is listed: one that is has just been seen.
    const unbegun = new Date(clock.now().getTime() - UNBEGUN_AFTER_MS);
    for (const conversation of await sessions.listUnbegunConversations(unbegun, NEVER_STARTED_BATCH))
      if (isMissing(conversation)) await inTurn(sessions.end(conversation, 'room_ended'));
    missing = stillMissing;
    // Their states are asked after the rooms: a caller who came in between has a session by now.
    const ofCalls = new Set(calls.map(({ room_name }) => room_name));
    await inTurn(rooms.settleOrphaned([...listed.keys()].filter((room) => !ofCalls.has(room))));
    await inTurn(settleTransfers());
    if (failures.length > 0) throw failures[0];
  };

  function nextSample(sessions: Session[]): Session[] {
    const open = sessions.sort((one, other) => (one.id < other.id ? -1 : 1));
    const after = open.filter((call) => call.id > sampled);
    const size = rooms.isSuspicious() ? LARGE_SAMPLE : SAMPLE;
    const sample = (after.length > 0 ? after : open).slice(0, size);
    sampled = sample.at(-1)?.id ?? '';
    return sample;
  }
}
