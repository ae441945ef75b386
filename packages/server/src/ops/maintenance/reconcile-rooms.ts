import type { Inbound } from '../../calling/calls/inbound.ts';
import { isFinal, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { Platform } from '../../platform.ts';
import type { Rooms } from '../../providers/rooms.ts';

/**
 * Consecutive rounds in which no server has responded for a room. A single one may be a busy server or a lost
 * message.
 */
const ROUNDS_UNANSWERED = 3;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 300_000;

interface Deps extends Pick<Platform, 'clock' | 'log' | 'metrics'> {
  rooms: Rooms;
  sessions: Sessions;
  inbound: Inbound;
}

/** Rooms that outlived their session or their server, and inbound callers whose events were lost. */
export function createRoomReconciler({ clock, log, metrics, rooms, sessions, inbound }: Deps) {
  /** Consecutive rounds without a response, by room. */
  const unanswered = new Map<string, number>();
  /** When to retry closing a room, and the number of failures, by room. */
  const failures = new Map<string, { count: number; retryAt: number }>();

  /** Listed rooms that no server hosts any more. Checked concurrently, because each check may take seconds. */
  async function findAbandoned(rooms: string[]): Promise<Set<string>> {
    await Promise.all([...new Set([...rooms, ...unanswered.keys()])].map(probe));
    return new Set([...unanswered].filter(([, rounds]) => rounds >= ROUNDS_UNANSWERED).map(([room]) => room));
  }

  async function probe(room: string): Promise<void> {
    const isHosted = await rooms.isHosted(room).catch((err: unknown) => {
      log.warn({ err, room_name: room }, 'checking whether a media server hosts a room failed');
      return null;
    });
    if (isHosted) unanswered.delete(room);
    else if (isHosted === false) unanswered.set(room, (unanswered.get(room) ?? 0) + 1);
  }

  /** Closes rooms that outlived their session; accepts or rejects inbound callers whose events were lost. */
  async function settleOrphaned(rooms: string[]): Promise<void> {
    const states = await sessions.statesByRoom(rooms);
    const over: string[] = [];
    for (const room of rooms) {
      const status = states.get(room);
      if (status !== undefined && isFinal({ status })) over.push(room);
      else if (status === undefined && inbound.isInboundRoom(room)) await inbound.receive(room);
    }
    for (const room of failures.keys()) if (!over.includes(room)) failures.delete(room);
    await Promise.all(over.map(close));
    metrics.roomsNotClosed.set(failures.size);
  }

  async function close(room: string): Promise<void> {
    const { count = 0, retryAt = 0 } = failures.get(room) ?? {};
    const now = clock.now().getTime();
    if (now < retryAt) return;
    try {
      await rooms.closeRoom(room);
      failures.delete(room);
    } catch (err) {
      const pause = Math.min(FIRST_RETRY_MS * 2 ** count, LONGEST_RETRY_MS);
      log.warn(
        { err, room_name: room, retry_in_ms: pause },
        'closing the room of an ended session failed; it will be retried',
      );
      failures.set(room, { count: count + 1, retryAt: now + pause });
    }
  }

  return {
    findAbandoned,
    settleOrphaned,
    /** Whether no server responded for this room at the last check. */
    isUnanswered: (room: string) => unanswered.has(room),
    /** Whether any room is suspected to have lost its server: others have probably lost it too. */
    isSuspicious: () => unanswered.size > 0,
    /** Forgets the rounds so far: they are not consecutive with the next one, and another replica closes the rooms. */
    forget: () => {
      unanswered.clear();
      failures.clear();
      metrics.roomsNotClosed.set(0);
    },
    /** Forgets rooms that are no longer listed. */
    keepListed: (listed: ReadonlyMap<string, unknown>) => {
      for (const room of unanswered.keys()) if (!listed.has(room)) unanswered.delete(room);
    },
  };
}
