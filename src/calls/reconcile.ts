import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Media } from '../providers/media/media.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { Dialling } from './dialling.ts';
import type { Transfers } from './transfer.ts';

export type Reconciler = ReturnType<typeof createReconciler>;

/** A session is committed before its room is made, so a young one may rightly have none. */
const GRACE_MS = 10_000;

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
  return async function reconcile(): Promise<void> {
    const [rooms, calls] = [await media.listRooms(), await sessions.listOpenCalls()];
    for (const call of calls) await settle(call, rooms.has(call.room_name));
    const open = new Set(calls.map((call) => call.room_name));
    const ended = await sessions.endedRooms([...rooms].filter((room) => !open.has(room)));
    for (const room of ended) await sessions.closeRoom(room);
    await transfers.settleAbandoned();
  };

  async function settle(call: Session, hasRoom: boolean): Promise<void> {
    const now = clock.now();
    if (!hasRoom && !dialling.isUnderWay(call.id) && now.getTime() - call.created_at.getTime() > GRACE_MS) {
      const end_reason = call.call_status === 'RINGING' ? 'interrupted' : 'media_lost';
      log.warn({ session_id: call.id, end_reason }, 'an open call has no room');
      await sessions.apply(call.id, { kind: 'failed', at: now, end_reason, sip_status_code: null });
    } else if (call.started_at && now.getTime() - call.started_at.getTime() > max_duration_s * 1000) {
      await sessions.end(call, 'max_duration');
    }
  }
}
