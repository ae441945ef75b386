import { isPhoneNumber } from '../../lib/phone.ts';
import type { Phone, PhoneState } from './media.ts';

type Attributes = Readonly<Record<string, string | undefined>>;

/** `automation` is an answered phone that is sent tones. */
const STATES: Record<string, PhoneState> = {
  dialing: 'dialing',
  ringing: 'ringing',
  automation: 'active',
  active: 'active',
  hangup: 'hangup',
};

/** Reads what LiveKit's SIP bridge shows of a phone (https://docs.livekit.io/sip/sip-participant). */
export function readPhone(attributes: Attributes): Phone {
  return {
    state: STATES[attributes['sip.callStatus'] ?? ''] ?? null,
    number: toE164(attributes['sip.phoneNumber']),
    our_number: toE164(attributes['sip.trunkPhoneNumber']),
    // From the header X-Twilio-CallSid (livekit/sip, pkg/sip/participant.go).
    carrier_call_sid: /^CA[0-9a-f]{32}$/.exec(attributes['sip.twilio.callSid'] ?? '')?.[0] ?? null,
  };
}

/** The name that an agent's worker registered under. */
export function readAgentName(attributes: Attributes): string | null {
  return attributes['lk.agent_name'] || null;
}

// The bridge passes on a number as it was dialled, with or without its plus sign.
function toE164(number: string | undefined): string | null {
  const text = number?.replace(/^\+?/, '+') ?? '';
  return isPhoneNumber(text) ? text : null;
}
