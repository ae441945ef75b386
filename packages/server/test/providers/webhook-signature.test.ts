import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { CompactSign, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createSignatureCheck } from '../../src/providers/livekit/webhook-signature.ts';

const KEY = { apiKey: 'key', apiSecret: 'a-secret-of-thirty-two-characters-or-more' };
const assertSigned = createSignatureCheck(KEY);
const BODY = '{"event":"room_finished","id":"EV_1"}';
const sha256 = createHash('sha256').update(BODY).digest('base64');
const now = () => Math.floor(Date.now() / 1000);

const bytes = (text: string) => new TextEncoder().encode(text);
const claimsOf = (claims: object): JWTPayload => ({ iss: KEY.apiKey, exp: now() + 60, sha256, ...claims });
const sign = (claims: object, secret = KEY.apiSecret, alg = 'HS256') =>
  new SignJWT(claimsOf(claims)).setProtectedHeader({ alg }).sign(bytes(secret));
const signText = (text: string) =>
  new CompactSign(bytes(text)).setProtectedHeader({ alg: 'HS256' }).sign(bytes(KEY.apiSecret));
const isRefused = (token: string | undefined, body = BODY) =>
  assert.throws(() => assertSigned(body, token), { code: 'invalid_signature' }, token);

test('a webhook signed by the media server is accepted, with clocks some seconds apart', async () => {
  for (const claims of [{}, { nbf: now() + 5 }, { exp: now() - 5 }]) {
    const token = await sign(claims);
    assert.doesNotThrow(() => assertSigned(BODY, token));
  }
});

test('a webhook not signed with the secret, for this body and recently, is refused', async () => {
  isRefused(undefined);
  isRefused('');
  isRefused('a.b.c');
  isRefused('..');
  isRefused(await sign({}), `${BODY} `);
  isRefused(await sign({}, 'another-secret-of-thirty-two-characters'));
  isRefused(await sign({ iss: 'another key' }));
  isRefused(await sign({ iss: undefined }));
  isRefused(await sign({ iss: [KEY.apiKey] }));
  isRefused(await sign({ sha256: undefined }));
  isRefused(await sign({ exp: now() - 60 }));
  isRefused(await sign({ exp: undefined }));
  isRefused(await signText(JSON.stringify({ ...claimsOf({}), exp: String(now() + 60) })));
  isRefused(await sign({ nbf: now() + 60 }));
  isRefused(await signText(JSON.stringify({ ...claimsOf({}), nbf: 'now' })));
  for (const text of ['text', '"text"', 'null', '[]', '{']) isRefused(await signText(text));
});

test('a token of another form or algorithm, or changed by one character, is refused', async () => {
  isRefused(await sign({}, KEY.apiSecret.repeat(2), 'HS512'));
  isRefused(new UnsecuredJWT(claimsOf({})).encode());
  const token = await sign({});
  const [header = '', payload = '', signature = ''] = token.split('.');
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = encode(claimsOf({ exp: now() + 6000 }));
  isRefused(`${header}.${claims}.${signature}`);
  isRefused(`${header}.${payload}`);
  isRefused(`${header}.${payload}.`);
  isRefused(`${token}.`);
  isRefused(`${token}=`);
  isRefused(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`);
  // The right key, and a header that asks for more than is understood (RFC 7515, 4.1.11), or for another algorithm.
  for (const asked of [{ alg: 'HS256', crit: ['exp'] }, { alg: 'none' }, {}]) {
    const signed = `${encode(asked)}.${payload}`;
    const hmac = createHmac('sha256', KEY.apiSecret).update(signed).digest('base64url');
    isRefused(`${signed}.${hmac}`);
  }
});
