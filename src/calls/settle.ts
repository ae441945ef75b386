import type { Clock } from '../lib/clock.ts';
import type { Media } from '../providers/media/media.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { isTarget, type Transfers } from './transfer.ts';

export type Settle = ReturnType<typeof createSettle>;

/** Who has just left a room, and why, as the media provider says. */
export interface Departure {
  identity: string;
  disconnect_reason: string | null;
}

const MEDIA_LOST = new Set(['SIP_TRUNK_FAILURE', 'MEDIA_FAILURE', 'CONNECTION_TIMEOUT', 'SIGNAL_CLOSE']);

interface Deps {
  clock: Clock;
  media: Media;
  sessions: Sessions;
  transfers: Transfers;
}

/**
 * Ends calls that are over, judged by who is still in the room: a call needs its own phone and somebody to talk to.
 * While an outbound phone rings, the process that dials it judges instead: it alone learns the SIP status.
 */
export function createSettle({ clock, media, sessions, transfers }: Deps) {
  return async function settle(session: Session, left?: Departure): Promise<void> {
    if (session.call_status !== 'ANSWERED' && session.call_direction !== 'INBOUND') return;
    const everybody = await media.listParticipants(session.room_name);
    const present = everybody.filter((participant) => participant.identity !== left?.identity);
    const parties = present.filter(({ kind }) => kind === 'SIP' || kind === 'STANDARD' || kind === 'AGENT');
    const transfer = await transfers.underWay(session.id);
    if (!parties.some(({ kind, identity }) => kind === 'SIP' && !isTarget(identity))) {
      // The transfer that is asking this phone to leave ends the session, or finds it gone.
      if (transfer?.transfer_type === 'COLD') return;
      await over(session, left);
    } else if (session.call_status === 'ANSWERED' && parties.length < 2) {
      await over(session, left);
    } else if (transfer?.status === 'connected' && !parties.some(({ kind }) => kind === 'AGENT')) {
      await transfers.completeWarm(transfer);
    }
  };

  async function over(session: Session, left?: Departure): Promise<void> {
    if (!MEDIA_LOST.has(left?.disconnect_reason ?? '')) {
      await sessions.end(session, 'hangup');
      return;
    }
    await sessions.apply(session.id, {
      kind: 'failed',
      at: clock.now(),
      end_reason: 'media_lost',
      sip_status_code: null,
    });
    await sessions.closeRoom(session.room_name);
  }
}
