import { ServerError, SipCallError } from 'livekit-server-sdk';
import type { DialOutcome, ReferOutcome } from '../phones.ts';
import { ProviderError } from '../provider-error.ts';

type Failure = Extract<DialOutcome, { answered: false }>;

/** End reasons by SIP status (RFC 3261, section 21; 607 and 608 are RFC 8197 and RFC 8688). */
const END_REASONS: Record<number, string> = {
  401: 'trunk_rejected',
  402: 'trunk_rejected',
  403: 'trunk_rejected',
  404: 'invalid_number',
  407: 'trunk_rejected',
  408: 'no_answer',
  410: 'invalid_number',
  415: 'media_failure',
  480: 'unavailable',
  484: 'invalid_number',
  486: 'busy',
  487: 'canceled',
  488: 'media_failure',
  600: 'busy',
  603: 'declined',
  604: 'invalid_number',
  606: 'media_failure',
  607: 'declined',
  608: 'declined',
};

/** End reasons by LiveKit's error code, if there is no SIP status. */
const BY_CODE: Record<string, string> = {
  aborted: 'canceled',
  canceled: 'canceled',
  failed_precondition: 'trunk_failure',
  not_found: 'trunk_not_found',
};

/** End reasons by message, where the bridge uses one code for several causes (livekit-sip 1.11). */
const BY_MESSAGE: readonly [message: RegExp, end_reason: string][] = [
  // SIP timer B, 32 s: no response from the trunk's address. The code is the same as for a ring-out.
  [/transaction failed to complete/, 'trunk_failure'],
  [/fail to resolve target/, 'trunk_failure'],
  // No credentials, or the trunk asks again whatever it gets, or does not say for what.
  [/required auth|max auth retry|no auth header/, 'trunk_rejected'],
  [/common audio codec not found/, 'media_failure'],
];

/**
 * The outcome of a failed dial. Throws `ProviderError` when the error does not tell: after a timeout, or without a
 * response from the media server, the phone may be ringing or connected.
 */
export function dialOutcome(error: unknown, rangOut: boolean): Failure {
  const sip_status_code = error instanceof SipCallError ? (error.sipStatusCode ?? null) : null;
  if (sip_status_code !== null) {
    const end_reason = END_REASONS[sip_status_code] ?? 'trunk_failure';
    return { answered: false, no_answer: end_reason === 'no_answer', end_reason, sip_status_code };
  }
  if (!(error instanceof ServerError)) throw toProviderError('createSipParticipant', error);
  const end_reason = BY_MESSAGE.find(([message]) => message.test(error.message))?.[1] ?? BY_CODE[error.code ?? ''];
  if (end_reason === undefined) throw toProviderError('createSipParticipant', error);
  // A ring-out, or a phone that was removed from the room: the timer tells them apart.
  if (end_reason === 'canceled' && rangOut)
    return { answered: false, no_answer: true, end_reason: 'no_answer', sip_status_code: null };
  return { answered: false, no_answer: false, end_reason, sip_status_code: null };
}

/** The outcome of a failed transfer. Throws `ProviderError` when the error says nothing about the target. */
export function referOutcome(error: unknown): ReferOutcome {
  // The bridge has waited for the target. Without any answer, the phone may be on its way to it.
  if (error instanceof ServerError && isTimeout(error))
    return { accepted: false, end_reason: 'no_answer', sip_status_code: null };
  if (isUnclaimed(error)) return { accepted: false, end_reason: 'provider_unavailable', sip_status_code: null };
  if (error instanceof ServerError && error.code === 'not_found' && !(error instanceof SipCallError)) {
    return { accepted: false, end_reason: 'media_lost', sip_status_code: null };
  }
  const { end_reason, sip_status_code } = dialOutcome(error, false);
  // Nobody here cancels a transfer: the target's side gave up.
  return { accepted: false, end_reason: end_reason === 'canceled' ? 'trunk_failure' : end_reason, sip_status_code };
}

/** Whether the media server says that the room or participant does not exist: a proxy's 404 has no code. */
function isGone(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'not_found';
}

/**
 * Whether a room cannot be deleted because someone joined it while it was being deleted: a server hosts it, but its
 * record is gone.
 */
export function isUnrecorded(error: unknown): boolean {
  return error instanceof ServerError && error.status === 500 && error.message.includes('could not find object');
}

/** Whether no server responded to a request about a room, although the one that received it works. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ProviderError && error.provider_code === 'unavailable';
}

/** Whether the phone answered and hung up again before the bridge could confirm the answer. */
export function isHungUpAtOnce(error: unknown): boolean {
  return error instanceof ServerError && /call already closed/.test(error.message);
}

/** Whether no bridge accepted the call: the server offers it for a second. */
export function isUnclaimed(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'unavailable' && /no response from servers/.test(error.message);
}

/** Translates the errors of a request; returns `absent`, if given, for something that no longer exists. */
export async function ask<T>(operation: string, request: Promise<T>, absent?: () => T): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (absent && isGone(error)) return absent();
    throw toProviderError(operation, error);
  }
}

/** Translates an SDK error. Its message is dropped, because the one for a refused token contains the token. */
export function toProviderError(operation: string, error: unknown): ProviderError {
  const about = { provider: 'livekit', operation };
  if (isTimeout(error)) return new ProviderError('provider_timeout', { ...about, retryable: true });
  if (!(error instanceof ServerError))
    return new ProviderError('provider_unavailable', { ...about, retryable: true, cause: error });
  const provider_code = error.code ?? String(error.status);
  const isMisrouted = error.status === 404 && error.code === undefined;
  const retryable = error.status >= 500 || error.status === 429 || isMisrouted;
  return new ProviderError(retryable ? 'provider_unavailable' : 'provider_refused', {
    ...about,
    retryable,
    provider_code,
  });
}

// The server's own deadline, or the SDK's.
function isTimeout(error: unknown): boolean {
  if (error instanceof ServerError) return error.code === 'deadline_exceeded' && !(error instanceof SipCallError);
  return error instanceof DOMException && error.name === 'TimeoutError';
}
