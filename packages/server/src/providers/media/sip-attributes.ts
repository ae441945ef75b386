import { isPhoneNumber } from '../../lib/phone.ts';
import type { Phone, PhoneState } from './media.ts';

type Attributes = Readonly<Record<string, string | undefined>>;

/** `automation`: an answered phone that receives DTMF tones. */
const STATES: Record<string, PhoneState> = {
  dialing: 'dialing',
  ringing: 'ringing',
  automation: 'active',
  active: 'active',
  hangup: 'hangup',
};

/** Reads the attributes that LiveKit's SIP bridge sets on a phone (https://docs.livekit.io/sip/sip-participant). */
export function readPhone(attributes: Attributes): Phone {
  return {
    state: STATES[attributes['sip.callStatus'] ?? ''] ?? null,
    number: toE164(attributes['sip.phoneNumber']),
    our_number: toE164(attributes['sip.trunkPhoneNumber']),
    // From the header X-Twilio-CallSid (livekit/sip, pkg/sip/participant.go).
    carrier_call_sid: /^CA[0-9a-f]{32}$/.exec(attributes['sip.twilio.callSid'] ?? '')?.[0] ?? null,
  };
}

/** The name that the agent's worker registered under. */
export function readAgentName(attributes: Attributes): string | null {
  return attributes['lk.agent_name'] || null;
}

// The bridge passes numbers on as they were dialed, with or without the plus sign.
function toE164(number: string | undefined): string | null {
  const text = number?.replace(/^\+?/, '+') ?? '';
  return isPhoneNumber(text) ? text : null;
}
