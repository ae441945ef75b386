import { after } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export const AUDIENCE = 'switchboard-test';
const signing = await generateKeyPair('ES256');
const strange = await generateKeyPair('ES256');
let jwksStatus = 200;

/** Sets the identity provider's response to requests for its keys. */
export function setJwksStatus(status: number): void {
  jwksStatus = status;
}

const provider = await serveHttp(async (_request, response) => {
  const jwk = { ...(await exportJWK(signing.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  response.writeHead(jwksStatus, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
});
after(provider.close);
export const issuer = provider.url;

export const env = {
  AUTH_MODE: 'required',
  RATE_LIMIT_USER: '1000000',
  TRUST_PROXY: '127.0.0.1',
  AUTH_JWT_ISSUER: issuer,
  AUTH_JWT_AUDIENCE: AUDIENCE,
  AUTH_JWT_JWKS_URL: `${issuer}/jwks.json`,
};
/** A service that requires keys and tokens. */
export const service = await startService({ env });
const keys = keysOf(service.database);

interface Claims {
  sub?: unknown;
  aud?: string;
  iss?: string;
  exp?: string;
  /** The beginning of its time. */
  nbf?: string;
  key?: CryptoKey;
}

export function jwt({
  sub = 'owner',
  aud = AUDIENCE,
  iss = issuer,
  exp = '30m',
  nbf = '-1m',
  key = signing.privateKey,
}: Claims = {}): Promise<string> {
  return new SignJWT({ sub } as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(iss)
    .setAudience(aud)
    .setNotBefore(nbf)
    .setExpirationTime(exp)
    .sign(key);
}

export const root = (await keys.create({ name: 'root', role: 'service' })).key;
export const revoked = await keys.create({ name: 'gone', role: 'service' });
await keys.revoke(revoked.id);
const expired = await keys.create({ name: 'over', role: 'service' });
await service.database.db
  .updateTable('api_keys')
  .set({ expires_at: new Date(Date.now() - 1000) })
  .where('id', '=', expired.id)
  .execute();

/** A token for each kind of caller; those from the thirteenth on are rejected everywhere. */
export const PRINCIPALS: Record<string, string | null> = {
  service: root,
  worker: (await keys.create({ name: 'worker', role: 'worker' })).key,
  owner: (await keys.create({ name: 'owner', role: 'user', user_id: 'owner' })).key,
  'owner by JWT': await jwt(),
  'other user': (await keys.create({ name: 'other', role: 'user', user_id: 'other' })).key,
  'other user by JWT': await jwt({ sub: 'other' }),
  admin: (await keys.create({ name: 'admin', role: 'admin' })).key,
  viewer: (await keys.create({ name: 'viewer', role: 'viewer' })).key,
  supervisor: (await keys.create({ name: 'supervisor', role: 'supervisor' })).key,
  "owner's viewer": (await keys.create({ name: 'viewer of one', role: 'viewer', user_id: 'owner' })).key,
  "other user's supervisor": (await keys.create({ name: 'supervisor of one', role: 'supervisor', user_id: 'other' }))
    .key,
  "other user's worker": (await keys.create({ name: 'worker of one', role: 'worker', user_id: 'other' })).key,
  'revoked key': revoked.key,
  'expired key': expired.key,
  'expired token': await jwt({ exp: '-1m' }),
  'token for another audience': await jwt({ aud: 'someone-else' }),
  'token of another issuer': await jwt({ iss: 'https://example.com' }),
  'token signed by another key': await jwt({ key: strange.privateKey }),
  'token that is not valid yet': await jwt({ nbf: '1h', exp: '2h' }),
  'token of no user': await jwt({ sub: null }),
  'token signed with a shared secret': await sharedSecret(),
  nobody: null,
};
export const REFUSED = Object.keys(PRINCIPALS).slice(12);

/** A token with a signature that anybody who can verify it could forge. */
function sharedSecret(): Promise<string> {
  const claims = { sub: 'owner', iss: issuer, aud: AUDIENCE };
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).setExpirationTime('5m');
  return token.sign(Buffer.from('x'.repeat(32)));
}

/** Sends a request as one of the principals. */
export function ask(who: string, method: string, path: string, options: { user?: string; body?: unknown } = {}) {
  const token = PRINCIPALS[who];
  // Wrong tokens are limited per address: each has its own.
  const from = `192.0.2.${Object.keys(PRINCIPALS).indexOf(who)}`;
  const headers = token && {
    authorization: `Bearer ${token}`,
    ...(REFUSED.includes(who) && { 'x-forwarded-for': from }),
  };
  return service.request(method, path, { ...options, ...(headers && { headers }) });
}
