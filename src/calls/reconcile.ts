import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Media } from '../providers/media/media.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Dialling } from './dialling.ts';
import type { Transfers } from './transfer.ts';

/** A room may rightly be missing for a moment: before it is made, and while the event of its end is acted on. */
const GRACE_MS = 5_000;

interface Deps {
  clock: Clock;
  log: Logger;
  media: Media;
  sessions: Sessions;
  transfers: Transfers;
  dialling: Dialling;
  max_duration_s: number;
}

/**
 * Settles what no event told, after a restart above all: calls whose room is gone, calls that are over their time,
 * and rooms that outlived their session. It never dials.
 */
export function createReconciler({ clock, log, media, sessions, transfers, dialling, max_duration_s }: Deps) {
  /** When a call was first seen without its room, by call. */
  let missing = new Map<string, number>();

  return async function reconcile(): Promise<void> {
    // Calls first: a call that is found has made its room by the time rooms are asked for, or is about to.
    const [calls, rooms] = [await sessions.listOpenCalls(), await media.listRooms()];
    const now = clock.now().getTime();
    missing = new Map(
      calls.filter((call) => !rooms.has(call.room_name)).map((call) => [call.id, missing.get(call.id) ?? now]),
    );
    for (const call of calls) await settle(call);
    const open = new Set(calls.map((call) => call.room_name));
    const ended = await sessions.endedRooms([...rooms].filter((room) => !open.has(room)));
    for (const room of ended) await sessions.closeRoom(room);
    await transfers.settleAbandoned();
  };

  async function settle(call: Session): Promise<void> {
    const now = clock.now();
    const missingSince = missing.get(call.id);
    if (missingSince !== undefined && now.getTime() - missingSince > GRACE_MS && !dialling.isUnderWay(call.id)) {
      const end_reason = call.call_status === 'RINGING' ? 'interrupted' : 'media_lost';
      log.warn({ session_id: call.id, end_reason }, 'an open call has no room');
      await sessions.apply(call.id, { kind: 'failed', at: now, end_reason, sip_status_code: null });
    } else if (call.started_at && now.getTime() - call.started_at.getTime() > max_duration_s * 1000) {
      await sessions.end(call, 'max_duration');
    }
  }
}
