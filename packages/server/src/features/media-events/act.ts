import type { Clock } from '../../lib/clock.ts';
import { BROWSER_IDENTITY, type Media, type MediaEvent, type Participant } from '../../providers/media/media.ts';
import type { Inbound } from '../calls/inbound.ts';
import type { Settle } from '../calls/settle.ts';
import { isFinal, type Session, type Sessions } from '../sessions/sessions.ts';

/** Events about a participant. */
const ACTED_ON = new Set(['participant_left', 'participant_connection_aborted', 'track_published']);

interface Deps {
  clock: Clock;
  media: Media;
  sessions: Sessions;
  inbound: Inbound;
  settle: Settle;
}

/** Does what an event of the media provider means for its session. */
export function createAct({ clock, media, sessions, inbound, settle }: Deps) {
  return async function act({ event, room_name, participant }: MediaEvent): Promise<void> {
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
  };

  async function actOn(session: Session, event: string, participant: MediaEvent['participant']): Promise<void> {
    if (event === 'room_finished') {
      if (session.call_status !== null) return settle.settle(session);
      // A late event is about a former room of this name. If it is not, the reconciler ends the conversation.
      const isEmpty = (await media.listParticipants(session.room_name)).length === 0;
      if (isEmpty) return void (await sessions.end(session, 'room_ended'));
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
}

/** All others, mostly about tracks and new rooms, only need to be stored. */
export function isActedOn({ event, room_name, participant }: MediaEvent): boolean {
  if (room_name === null) return false;
  if (event === 'participant_joined') return participant !== null && isParty(participant);
  return event === 'room_finished' || (participant !== null && ACTED_ON.has(event));
}

/** Whether a participant that joins may begin a call, or must leave the room of one that has ended. */
function isParty({ kind, identity }: Participant): boolean {
  return kind === 'SIP' || kind === 'AGENT' || identity === BROWSER_IDENTITY;
}
