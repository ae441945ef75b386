import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Lab } from '@switchboard/testkit/lab.ts';
import { joinAsSpeaker, type Speaker } from '@switchboard/testkit/speaker.ts';
import { within } from '@switchboard/testkit/within.ts';
import { RoomServiceClient } from 'livekit-server-sdk';
import type { Media } from '../../packages/server/src/providers/media.ts';

/** The real media server with phones that people speak into, which ring until the agent can be heard. */
export function withSpeakingPhones(lab: Lab, real: Media): { media: Media; callers: Map<string, Speaker> } {
  const rooms = new RoomServiceClient(lab.url, lab.apiKey, lab.apiSecret);
  const callers = new Map<string, Speaker>();
  const dial: Media['dial'] = async ({ room_name, identity, phone_number }) => {
    await eventually(
      () => real.listParticipants(room_name),
      (participants) => participants.some(({ kind }) => kind === 'AGENT'),
    );
    const caller = await joinAsSpeaker(lab, room_name, identity, { 'sip.callStatus': 'ringing' });
    callers.set(phone_number, caller);
    await within(caller.listens, 'a phone that hears its agent');
    await rooms.updateParticipant(room_name, identity, { attributes: { 'sip.callStatus': 'active' } });
    return { answered: true };
  };
  return { media: { ...real, dial }, callers };
}
