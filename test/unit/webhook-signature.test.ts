import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import jwt from 'jsonwebtoken';
import { createSignatureCheck } from '../../src/providers/media/webhook-signature.ts';

const KEY = { apiKey: 'key', apiSecret: 'a-secret-of-thirty-two-characters-or-more' };
const assertSigned = createSignatureCheck(KEY);
const BODY = '{"event":"room_finished","id":"EV_1"}';
const sha256 = createHash('sha256').update(BODY).digest('base64');
const now = () => Math.floor(Date.now() / 1000);

const sign = (claims: object, secret = KEY.apiSecret, options: jwt.SignOptions = {}) =>
  jwt.sign({ iss: KEY.apiKey, exp: now() + 60, sha256, ...claims }, secret, options);
const isRefused = (token: string | undefined, body = BODY) =>
  assert.throws(() => assertSigned(body, token), { code: 'invalid_signature' }, token);

test('what the media server signed is taken, with clocks some seconds apart', () => {
  for (const claims of [{}, { nbf: now() + 5 }, { exp: now() - 5 }])
    assert.doesNotThrow(() => assertSigned(BODY, sign(claims)));
});

test('what is not signed with the secret, for this body and now, is refused', () => {
  isRefused(undefined);
  isRefused('');
  isRefused('a.b.c');
  isRefused(sign({}), `${BODY} `);
  isRefused(sign({}, 'another-secret-of-thirty-two-characters'));
  isRefused(sign({ iss: 'another key' }));
  isRefused(sign({ iss: undefined }));
  isRefused(sign({ sha256: undefined }));
  isRefused(sign({ exp: now() - 60 }));
  isRefused(sign({ nbf: now() + 60 }));
  isRefused(jwt.sign({ iss: KEY.apiKey, sha256 }, KEY.apiSecret));
  isRefused(jwt.sign('text', KEY.apiSecret));
  isRefused(sign({}, KEY.apiSecret, { algorithm: 'HS512' }));
  isRefused(jwt.sign({ iss: KEY.apiKey, exp: now() + 60, sha256 }, '', { algorithm: 'none' }));
  const [header, , signature] = sign({}).split('.');
  const claims = Buffer.from(JSON.stringify({ iss: KEY.apiKey, exp: now() + 6000, sha256 })).toString('base64url');
  isRefused(`${header}.${claims}.${signature}`);
});
