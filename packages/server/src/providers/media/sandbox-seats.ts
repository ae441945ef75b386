import type { Participant } from './media.ts';

/** A participant in a sandbox room. */
export interface Seat extends Participant {
  sid: string;
  joined_at: Date;
  left: AbortController;
}

/** A participant in the format of LiveKit's webhooks. */
export function toWire({ sid, identity, kind, joined_at, phone, agent_name }: Seat): object {
  return {
    sid,
    identity,
    kind,
    joinedAtMs: String(joined_at.getTime()),
    attributes: {
      ...(agent_name && { 'lk.agent_name': agent_name }),
      ...(phone?.state && { 'sip.callStatus': phone.state }),
      ...(phone?.number && { 'sip.phoneNumber': phone.number }),
      ...(phone?.our_number && { 'sip.trunkPhoneNumber': phone.our_number }),
      ...(phone?.carrier_call_sid && { 'sip.twilio.callSid': phone.carrier_call_sid }),
    },
  };
}
