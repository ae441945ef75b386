import { isFinal, type Sessions } from '../../conversations/sessions/sessions.ts';
import type { MediaEvent } from '../../providers/events.ts';
import { BROWSER_IDENTITY, type Participant } from '../../providers/rooms.ts';
import type { Inbound } from '../calls/inbound.ts';
import type { Cause, Conductor } from '../conductor/conductor.ts';

interface Deps {
  sessions: Sessions;
  inbound: Inbound;
  conductor: Conductor;
}

/** Has the conductor look at the session of a room, for the reason that an event of the media provider gave. */
export function createEventHandler({ sessions, inbound, conductor }: Deps) {
  return async function handle(room_name: string, cause: Cause): Promise<void> {
    const session = await sessions.findByRoom(room_name);
    if (!session) {
      // Other rooms belong to other applications or installations on the same media server.
      const isCaller = cause.kind === 'joined' && cause.participant.kind === 'SIP';
      if (isCaller && inbound.isInboundRoom(room_name)) await inbound.receive(room_name);
      return;
    }
    // If the event of the room's end is lost, the reconciler ends the conversation: it needs to know that there was a
    // room.
    if (session.call_status === null && session.room_seen_at === null && !isFinal(session))
      await sessions.markRoomsSeen([room_name]);
    await conductor.look(session, cause);
  };
}

/** The reason to look at a session; undefined for events that only need to be stored, as most about tracks. */
export function causeOf(event: MediaEvent, received_at: Date): Cause | undefined {
  const { kind, room_name, participant, created_at } = event;
  if (room_name === null) return undefined;
  if (kind === 'room_ended') return { kind };
  if (kind === 'other' || !participant) return undefined;
  // Others who join cannot begin a call, and need not leave the room of one that has ended.
  if (kind === 'joined') return isParty(participant) ? { kind, participant } : undefined;
  const time = { created_at, received_at };
  if (kind === 'audio_started') return { kind, identity: participant.identity, time };
  return { kind, participant: { ...participant, time } };
}

function isParty({ kind, identity }: Participant): boolean {
  return kind === 'SIP' || kind === 'AGENT' || identity === BROWSER_IDENTITY;
}
