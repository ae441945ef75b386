import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerError, SipCallError } from 'livekit-server-sdk';
import { ask, dialOutcome, referOutcome, toProviderError } from '../../src/providers/livekit/errors.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { SEEN, thrown } from '../support/sip-errors.ts';

// As livekit-server-sdk 2.19.2 throws them: SipCallError only where a SIP status came.
const sip = (status: number, code: string) =>
  new SipCallError('x', 'x', 400, code, { sip_status_code: String(status) });
const server = (httpStatus: number, code?: string) => new ServerError('x', 'message with eyJhbGciOi', httpStatus, code);
const sdkTimeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

const BY_SIP_STATUS: [number, string, string][] = [
  [486, 'resource_exhausted', 'busy'],
  [600, 'resource_exhausted', 'busy'],
  [603, 'permission_denied', 'declined'],
  [480, 'resource_exhausted', 'unavailable'],
  [404, 'not_found', 'invalid_number'],
  [410, 'not_found', 'invalid_number'],
  [401, 'permission_denied', 'trunk_rejected'],
  [403, 'permission_denied', 'trunk_rejected'],
  [407, 'unauthenticated', 'trunk_rejected'],
  [487, 'aborted', 'canceled'],
  [488, 'invalid_argument', 'media_failure'],
  [500, 'failed_precondition', 'trunk_failure'],
  [503, 'failed_precondition', 'trunk_failure'],
  [504, 'deadline_exceeded', 'trunk_failure'],
];

for (const [status, code, end_reason] of BY_SIP_STATUS) {
  test(`SIP ${status} ends a call as ${end_reason}, with the status`, () => {
    assert.deepEqual(dialOutcome(sip(status, code), false), {
      answered: false,
      no_answer: false,
      end_reason,
      sip_status_code: status,
    });
  });
}

/**
 * By the name of the case: the end reason, and whether the phone rang out; null where the error says nothing of the
 * phone.
 */
const EXPECTED: Record<string, [end_reason: string, no_answer: boolean | null]> = {
  503: ['trunk_failure', false],
  603: ['declined', false],
  486: ['busy', false],
  408: ['no_answer', true],
  302: ['trunk_failure', false],
  '407 without credentials': ['trunk_rejected', false],
  '401 whatever the credentials': ['trunk_rejected', false],
  'bad SDP': ['media_failure', false],
  'TCP refused': ['trunk_failure', false],
  DNS: ['trunk_failure', false],
  'rang out': ['no_answer', true],
  'room deleted while ringing': ['canceled', false],
  'participant removed while ringing': ['canceled', false],
  'silent trunk': ['trunk_failure', false],
  'no bridge': ['provider_unavailable', null],
  'bridge SIGKILL while ringing': ['provider_timeout', null],
};

/** Ringing timeouts that the cases ran with, seconds; 45 in all others. */
const RINGING_TIMEOUT_S: Record<string, number> = { 'rang out': 5, 'bridge SIGKILL while ringing': 20 };

test('every recorded case has an expectation', () => {
  assert.deepEqual(SEEN.map((seen) => seen.case).sort(), Object.keys(EXPECTED).sort());
});

for (const seen of SEEN) {
  const [end_reason, no_answer] = EXPECTED[seen.case] ?? assert.fail(seen.case);
  test(`a recorded failure of the bridge: ${seen.case} is ${end_reason}`, () => {
    const rangOut = seen.after_s >= (RINGING_TIMEOUT_S[seen.case] ?? 45);
    if (no_answer === null) return assert.throws(() => dialOutcome(thrown(seen), rangOut), { code: end_reason });
    const code = seen.metadata?.sip_status_code;
    const sip_status_code = code === undefined ? null : Number(code);
    assert.deepEqual(dialOutcome(thrown(seen), rangOut), { answered: false, no_answer, end_reason, sip_status_code });
  });
}

test('SIP 408, and ringing until the timeout, is no_answer', () => {
  for (const [error, sip_status_code] of [
    [sip(408, 'deadline_exceeded'), 408],
    [server(408, 'canceled'), null],
  ] as const)
    assert.deepEqual(dialOutcome(error, true), {
      answered: false,
      no_answer: true,
      end_reason: 'no_answer',
      sip_status_code,
    });
});

test('a request timeout says nothing about the phone, however long it rang', () => {
  for (const error of [server(408, 'deadline_exceeded'), sdkTimeout])
    assert.throws(() => dialOutcome(error, true), { code: 'provider_timeout' });
});

test('a dial that was canceled before it rang out is canceled', () => {
  for (const code of ['canceled', 'aborted'])
    assert.equal(dialOutcome(server(409, code), false).end_reason, 'canceled');
});

test('an unknown trunk is distinguished from an unknown number by the missing SIP status', () => {
  assert.equal(dialOutcome(server(404, 'not_found'), false).end_reason, 'trunk_not_found');
  assert.equal(dialOutcome(server(412, 'failed_precondition'), false).end_reason, 'trunk_failure');
});

test('errors that say nothing about the phone are provider errors that say whether a retry can help', () => {
  const cases = [
    [server(503, 'unavailable'), 'provider_unavailable', true],
    [server(429, 'resource_exhausted'), 'provider_unavailable', true],
    [server(401), 'provider_refused', false],
    // A proxy that has lost its route.
    [server(404), 'provider_unavailable', true],
    [server(400, 'invalid_argument'), 'provider_refused', false],
    [sdkTimeout, 'provider_timeout', true],
    [new TypeError('fetch failed'), 'provider_unavailable', true],
  ] as const;
  for (const [error, code, retryable] of cases) {
    assert.throws(
      () => dialOutcome(error, false),
      (thrown: unknown) =>
        thrown instanceof ProviderError &&
        thrown.code === code &&
        thrown.retryable === retryable &&
        thrown.provider === 'livekit',
    );
  }
});

test('a refused token is not repeated in our error', () => {
  const error = toProviderError('listRooms', server(401));
  assert.doesNotMatch(JSON.stringify([error, error.message, String(error.cause)]), /eyJ/);
  assert.equal(error.provider_code, '401');
});

test('a transfer fails by the SIP status of its target, by time, or because the phone has gone', () => {
  assert.deepEqual(referOutcome(sip(603, 'permission_denied')), {
    accepted: false,
    end_reason: 'declined',
    sip_status_code: 603,
  });
  assert.deepEqual(referOutcome(sip(487, 'aborted')), {
    accepted: false,
    end_reason: 'trunk_failure',
    sip_status_code: 487,
  });
  assert.deepEqual(referOutcome(server(408, 'deadline_exceeded')), {
    accepted: false,
    end_reason: 'no_answer',
    sip_status_code: null,
  });
  assert.deepEqual(referOutcome(server(404, 'not_found')), {
    accepted: false,
    end_reason: 'media_lost',
    sip_status_code: null,
  });
});

test('a transfer whose answer is lost may have succeeded', () => {
  assert.throws(() => referOutcome(sdkTimeout), { code: 'provider_timeout' });
  assert.throws(() => referOutcome(new TypeError('fetch failed')), { code: 'provider_unavailable' });
});

test('a room is gone when the media server says so, and not when a proxy has no route to it', async () => {
  assert.equal(await ask('deleteRoom', Promise.reject(server(404, 'not_found')), () => 'gone'), 'gone');
  const misrouted = ask('deleteRoom', Promise.reject(server(404)), () => 'gone');
  await assert.rejects(misrouted, { code: 'provider_unavailable', retryable: true });
});
