import { textProblem } from '../../lib/json.ts';
import { readNumber, toE164 } from '../../lib/phone.ts';
import type { SipHeaders } from '../../lib/sip-headers.ts';
import type { Phone, PhoneState } from '../rooms.ts';

type Attributes = Readonly<Record<string, string | undefined>>;

/** `automation`: an answered phone that receives DTMF tones. */
const STATES: Record<string, PhoneState> = {
  dialing: 'dialing',
  ringing: 'ringing',
  automation: 'active',
  active: 'active',
  hangup: 'hangup',
};

/** Prefix of the attributes that hold headers; their names follow it in lower case. */
export const HEADER_PREFIX = 'sip.h.';

/** Reads the attributes that LiveKit's SIP bridge sets on a phone (https://docs.livekit.io/sip/sip-participant). */
export function readPhone(attributes: Attributes): Phone {
  // The bridge passes it on as it was dialled, with or without the plus sign.
  const our_number = toE164(attributes['sip.trunkPhoneNumber'] ?? '');
  const caller_id = toText(attributes['sip.phoneNumber']);
  return {
    state: STATES[attributes['sip.callStatus'] ?? ''] ?? null,
    number: caller_id && readNumber(caller_id, our_number),
    caller_id,
    sip_call_id: toText(attributes['sip.callIDFull']),
    bridge_call_id: toText(attributes['sip.callID']),
    our_number,
    trunk_id: toText(attributes['sip.trunkID']),
    // From the header X-Twilio-CallSid (livekit/sip, pkg/sip/participant.go).
    carrier_call_sid: /^CA[0-9a-f]{32}$/.exec(attributes['sip.twilio.callSid'] ?? '')?.[0] ?? null,
    headers: headersOf(attributes),
  };
}

function headersOf(attributes: Attributes): SipHeaders {
  const found = Object.entries(attributes).flatMap(([name, value]) =>
    value && name.startsWith(HEADER_PREFIX) ? [[name.slice(HEADER_PREFIX.length).toLowerCase(), value] as const] : [],
  );
  return Object.fromEntries(found);
}

/** The name that the agent's worker registered under. */
export function readAgentName(attributes: Attributes): string | null {
  return attributes['lk.agent_name'] || null;
}

/** Longer than numbers, names and Call-IDs are; index entries are limited in size. */
const MAX_TEXT = 255;

// Cut, because the far end may send anything.
function toText(value: string | undefined): string | null {
  const text = value?.trim().slice(0, MAX_TEXT) ?? '';
  return text === '' || textProblem(text) ? null : text;
}
