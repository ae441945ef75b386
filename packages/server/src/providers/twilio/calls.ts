import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js';
import type { CarrierCall } from '../carrier.ts';
import { ProviderError } from '../provider-error.ts';

/** Values for inbound calls; those of a trunk are missing from Twilio's API description. */
const INBOUND = ['inbound', 'trunking-originating'];
const OUTBOUND = ['outbound-api', 'outbound-dial', 'trunking-terminating'];

/**
 * Twilio's records (API 2010-04-01) of calls that began at or after `from` and before `to`. Throws `ProviderError`
 * for invalid records.
 */
export function toCarrierCalls(calls: CallInstance[], from: Date, to: Date): CarrierCall[] {
  return calls.map(toCarrierCall).filter(({ started_at }) => started_at >= from && started_at < to);
}

function toCarrierCall(call: CallInstance): CarrierCall {
  const { sid, startTime, endTime, duration, price, priceUnit } = call;
  const isCall = /^CA[0-9a-f]{32}$/i.test(sid) && isTime(startTime) && isTime(endTime) && /^\d+$/.test(duration);
  if (!isCall) throw invalid(`no record of a call that has ended: ${sid}`);
  return {
    carrier_call_sid: sid,
    parent_call_sid: call.parentCallSid || null,
    from: toNumber(call.from),
    to: toNumber(call.to),
    direction: INBOUND.includes(call.direction) ? 'INBOUND' : OUTBOUND.includes(call.direction) ? 'OUTBOUND' : null,
    started_at: startTime,
    ended_at: endTime,
    duration_s: Number(duration),
    cost: price ? costOf(price, sid) : null,
    currency: String(priceUnit).toUpperCase(),
  };
}

/** Twilio shows the change of the account's balance, so the charge is its negative. */
function costOf(price: string, sid: string): string {
  if (!/^[+-]?\d+(\.\d+)?$/.test(price)) throw invalid(`the price of ${sid} is no decimal`);
  const [, whole = '', , places = ''] = /(\d+)(\.(\d*?)0*)?$/.exec(price) ?? [];
  const digits = places ? `${whole}.${places}` : whole;
  return price.startsWith('-') || !/[1-9]/.test(digits) ? digits : `-${digits}`;
}

/** The number in a SIP address such as `sip:+15005550100@example.pstn.twilio.com`; anything else unchanged. */
function toNumber(address: string | null): string {
  const [, number] = /^(?:sips?:)?(\+[1-9]\d{1,14})(?:[@;].*)?$/.exec(address ?? '') ?? [];
  return number ?? address ?? '';
}

// The SDK returns dates that it cannot parse as text.
function isTime(time: unknown): boolean {
  return time instanceof Date && !Number.isNaN(time.getTime());
}

function invalid(reason: string): ProviderError {
  const cause = new Error(reason);
  return new ProviderError('provider_answer_invalid', {
    provider: 'twilio',
    operation: 'listCalls',
    retryable: true,
    cause,
  });
}
