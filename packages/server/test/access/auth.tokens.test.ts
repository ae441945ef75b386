import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { writeSection } from '@switchboard/testkit/section.ts';
import { AUDIENCE, issuer, jwt, revoked, root, service } from '../support/principals.ts';

const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1000);
const claims = { sub: 'owner', iss: issuer, aud: AUDIENCE, exp: now + 300 };
const header = { alg: 'ES256', kid: 'one' };
const good = await jwt();
const [head = '', payload = '', signature = ''] = good.split('.');
const user = await service.request('POST', '/api/keys', {
  headers: { authorization: `Bearer ${root}` },
  body: { name: 'good', role: 'user', user_id: 'owner' },
});
const key: string = user.body.key;
const digest = createHash('sha256').update(key).digest();
const turned = (text: string) =>
  [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');

/** Credentials that are nobody's: whole `Authorization` headers. */
const INVALID: Record<string, Record<string, string>> = {
  'keys that are not quite one': {
    'one character less': `Bearer ${key.slice(0, -1)}`,
    'one character more': `Bearer ${key}A`,
    'another last character': `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    'another first character': `Bearer ${key.replace(/^sb_./, (four) => (four === 'sb_A' ? 'sb_B' : 'sb_A'))}`,
    'the other case': `Bearer sb_${turned(key.slice(3))}`,
    'another prefix': `Bearer sk_${key.slice(3)}`,
    'no prefix': `Bearer ${key.slice(3)}`,
    'a prefix in capitals': `Bearer SB_${key.slice(3)}`,
    'the prefix twice': `Bearer sb_${key}`,
    'the prefix alone': 'Bearer sb_',
    'two keys': `Bearer ${key}${key}`,
    'two keys with a comma': `Bearer ${key},${key}`,
    'a percent sign at its end': `Bearer ${key}%`,
    'a wildcard': 'Bearer sb_%',
    'a NUL that is escaped': `Bearer ${key}%00`,
    'in quotes': `Bearer "${key}"`,
    'its digest in hexadecimal': `Bearer ${digest.toString('hex')}`,
    'its digest in base64': `Bearer ${digest.toString('base64')}`,
    'its digest with the prefix': `Bearer sb_${digest.toString('base64url')}`,
    'its id': `Bearer ${user.body.id}`,
    'its id with the prefix': `Bearer sb_${user.body.id}`,
    'its name': 'Bearer api_key/good',
    'in base64': `Bearer ${Buffer.from(key).toString('base64')}`,
    'of 16 kB, nearly': `Bearer sb_${'x'.repeat(12_000)}`,
    'a statement': "Bearer sb_'or'1'='1",
    revoked: `Bearer ${revoked.key}`,
  },
  'schemes that are not Bearer': {
    Basic: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'Basic with the key itself': `Basic ${key}`,
    Digest: `Digest ${key}`,
    Token: `Token ${key}`,
    'no scheme': key,
    'the scheme alone': 'Bearer',
    'a colon behind the scheme': `Bearer: ${key}`,
    'an equals sign': `Bearer=${key}`,
    'the scheme twice': `Bearer Bearer ${key}`,
    'a word behind the key': `Bearer ${key} x`,
  },
  'JWTs that are not quite one': {
    'without a signature': `Bearer ${head}.${payload}.`,
    'of two parts': `Bearer ${head}.${payload}`,
    'of four parts': `Bearer ${good}.${signature}`,
    'of dots': 'Bearer ..',
    'with another signature': `Bearer ${head}.${payload}.${turned(signature)}`,
    'with a signature cut short': `Bearer ${good.slice(0, -8)}`,
    'with another payload': `Bearer ${head}.${coded({ ...claims, sub: 'other' })}.${signature}`,
    'with another header': `Bearer ${coded({ ...header, kid: 'two' })}.${payload}.${signature}`,
    'with its signature as zeros': `Bearer ${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'of no JSON': `Bearer ${Buffer.from('no').toString('base64url')}.${payload}.${signature}`,
    'of lists': `Bearer ${coded([])}.${coded([])}.${signature}`,
    'of nulls': `Bearer ${coded(null)}.${coded(null)}.${signature}`,
  },
  'JWTs that nobody signed': Object.fromEntries(
    ['none', 'None', 'NONE', 'nOnE', '', 'HS256', 'RS256', 'ES256', 'ES256K', 'EdDSA'].map((alg) => [
      `the algorithm "${alg}"`,
      `Bearer ${coded({ alg, kid: 'one' })}.${coded(claims)}.${alg.startsWith('E') ? signature : ''}`,
    ]),
  ),
  'JWTs that bring their own key': {
    jwk: `Bearer ${coded({ ...header, jwk: { kty: 'oct', k: 'eHh4' } })}.${coded(claims)}.${signature}`,
    jku: `Bearer ${coded({ ...header, jku: 'http://127.0.0.1:1/' })}.${coded(claims)}.${signature}`,
    x5u: `Bearer ${coded({ ...header, x5u: 'http://127.0.0.1:1/' })}.${coded(claims)}.${signature}`,
    'a path as key id': `Bearer ${coded({ ...header, kid: '../../dev/null' })}.${coded(claims)}.${signature}`,
    'unknown critical headers': `Bearer ${coded({ ...header, crit: ['x'], x: 1 })}.${coded(claims)}.${signature}`,
  },
  'JWTs whose claims are wrong, rightly signed': {
    'over for a minute': `Bearer ${await jwt({ exp: '-1m' })}`,
    'valid in an hour': `Bearer ${await jwt({ nbf: '1h', exp: '2h' })}`,
    'of another issuer': `Bearer ${await jwt({ iss: `${issuer}/` })}`,
    'for another audience': `Bearer ${await jwt({ aud: AUDIENCE.toUpperCase() })}`,
    'of an empty user': `Bearer ${await jwt({ sub: '' })}`,
    'of a number': `Bearer ${await jwt({ sub: 5 })}`,
    'of a list of users': `Bearer ${await jwt({ sub: ['owner'] })}`,
    'of a user with a NUL': `Bearer ${await jwt({ sub: 'owner\0' })}`,
    'of a user that is too long': `Bearer ${await jwt({ sub: 'x'.repeat(256) })}`,
  },
};
const TRIED = [
  ['GET', '/api/agents/'],
  ['POST', '/api/agents/'],
  ['GET', '/metrics'],
] as const;

const ask = (authorization: string, method: string, path: string) =>
  service.request(method, path, {
    headers: { authorization },
    ...(method === 'POST' && { body: { name: 'x', user_id: 'owner' } }),
  });

for (const [kind, tokens] of Object.entries(INVALID)) {
  test(`${kind} are a 401`, async () => {
    for (const [what, authorization] of Object.entries(tokens)) {
      for (const [method, path] of TRIED) {
        const { status, body, headers } = await ask(authorization, method, path);
        assert.deepEqual(
          [what, path, status, body.code, headers.get('www-authenticate')],
          [what, path, 401, 'unauthenticated', 'Bearer'],
        );
      }
    }
  });
}

test('the key and the token that all of these are made of are let in', async () => {
  for (const token of [key, good]) assert.equal((await ask(`Bearer ${token}`, 'GET', '/api/agents/')).status, 200);
});

after(() => {
  const count = Object.values(INVALID).reduce((sum, tokens) => sum + Object.keys(tokens).length, 0);
  writeSection(
    14,
    'tokens',
    `## Credentials that are nobody's

${count} \`Authorization\` headers, made of good keys and tokens or by whoever knows how they are made, were tried on ${TRIED.length} operations
each (\`packages/server/test/access/auth.tokens.test.ts\`): each is a 401.`,
    { 'invalid tokens': count },
  );
});
