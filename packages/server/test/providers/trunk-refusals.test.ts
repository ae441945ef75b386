import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerError, SipCallError } from 'livekit-server-sdk';
import { trunkRefusal } from '../../src/providers/livekit/trunk-refusals.ts';
import { SEEN, thrown } from '../support/sip-errors.ts';

/** Whether it was the trunk itself that turned the call away, by its final SIP status. */
const BY_STATUS: Record<number, 'refused' | null> = {
  302: null,
  400: null,
  401: 'refused',
  402: 'refused',
  403: 'refused',
  404: null,
  407: 'refused',
  408: null,
  410: null,
  415: null,
  429: 'refused',
  480: null,
  484: null,
  486: null,
  487: null,
  488: null,
  500: 'refused',
  501: 'refused',
  502: 'refused',
  503: 'refused',
  // Another network may not have answered in time.
  504: null,
  505: 'refused',
  580: 'refused',
  600: null,
  603: null,
  604: null,
  606: null,
  607: null,
  608: null,
};

for (const [status, expected] of Object.entries(BY_STATUS)) {
  test(`SIP ${status} is ${expected ? 'a refusal of the trunk' : 'no refusal of the trunk'}`, () => {
    const error = new SipCallError('x', 'x', 400, 'failed_precondition', { sip_status_code: status });
    assert.equal(trunkRefusal(error), expected);
  });
}

/** All others say nothing of the trunk, or leave open whether a phone rings. */
const BY_TRUNK: Record<string, string> = {
  503: 'refused',
  '407 without credentials': 'refused',
  '401 whatever the credentials': 'refused',
};

for (const seen of SEEN) {
  const by = BY_TRUNK[seen.case];
  test(`the error of the case "${seen.case}" ${by ? 'is' : 'is not'} a refusal of the trunk`, () => {
    assert.equal(trunkRefusal(thrown(seen)), by ?? null);
  });
}

test('a trunk that the media server does not know has sent nothing; anything else that it does not find may have', () => {
  const notFound = (message: string) => new ServerError('x', `twirp error not_found: ${message}`, 404, 'not_found');
  assert.equal(trunkRefusal(notFound('requested sip trunk does not exist')), 'unsent');
  assert.equal(trunkRefusal(notFound('participant does not exist')), null);
  assert.equal(trunkRefusal(new TypeError('fetch failed')), null);
});
