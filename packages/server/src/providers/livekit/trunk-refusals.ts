import { ServerError, SipCallError } from 'livekit-server-sdk';
import type { TrunkRefusal } from '../phones.ts';

/**
 * SIP statuses with which a trunk turns a call away: it does not accept our credentials, our number or our account,
 * takes no more calls, or fails. 408, 480, 486 and the like are about the phone, and so is 404. 504 is not among them:
 * another network may not have answered in time, and a phone may be ringing there.
 */
const REFUSING: ReadonlySet<number> = new Set([401, 402, 403, 407, 429]);
const [FAILING, GATEWAY_TIMEOUT] = [500, 504];

/** The media server (livekit-server 1.13) does not know the trunk, and asks no bridge. */
const UNKNOWN = /sip trunk does not exist/;
/**
 * Errors of the bridge (livekit-sip 1.11) without a status: the trunk wants credentials that the bridge does not have,
 * or asks again whatever it gets. A name that does not resolve, or a refused connection, is not among them: the bridge
 * says the same of the address for the ACK, after a phone has answered that never showed as ringing.
 */
const NOT_TAKEN = /required auth|max auth retry|no auth header/;

/** Whether an error of dialling is a refusal of the trunk; null if the phone itself may have been reached. */
export function trunkRefusal(error: unknown): TrunkRefusal | null {
  if (!(error instanceof ServerError)) return null;
  const status = error instanceof SipCallError ? error.sipStatusCode : undefined;
  if (status !== undefined) return isRefusing(status) ? 'refused' : null;
  if (UNKNOWN.test(error.message)) return 'unsent';
  return NOT_TAKEN.test(error.message) ? 'refused' : null;
}

function isRefusing(status: number): boolean {
  return REFUSING.has(status) || (status >= FAILING && status < FAILING + 100 && status !== GATEWAY_TIMEOUT);
}
