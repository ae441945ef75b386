import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../lib/errors.ts';

/** Tolerated clock skew between the media server and this machine, as in LiveKit's SDK. */
const CLOCK_TOLERANCE_S = 10;

interface Claims {
  iss?: unknown;
  exp?: unknown;
  nbf?: unknown;
  sha256?: unknown;
}

/**
 * Returns a function that throws `invalid_signature` unless a token was signed with the API secret for exactly this
 * body and has not expired: LiveKit sends a JWT with the SHA-256 of the body
 * (https://docs.livekit.io/home/server/webhooks). Verified synchronously: on the thread pool, as in the SDK's
 * receiver, verification takes longer than the rest of a webhook.
 */
export function createSignatureCheck({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) {
  const secret = createSecretKey(apiSecret, 'utf8');

  return (body: string, token: string | undefined): void => {
    const claims = token === undefined ? null : verifiedClaims(token);
    if (!claims || !isOurs(claims) || claims.sha256 !== createHash('sha256').update(body).digest('base64'))
      throw new AppError('invalid_signature');
  };

  /** The claims of a compact JWT that is signed with HS256 and no other algorithm (RFC 7515, 5.2); otherwise null. */
  function verifiedClaims(token: string): Claims | null {
    const [header = '', payload = '', signature = '', ...more] = token.split('.');
    if (more.length > 0) return null;
    const expected = Buffer.from(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url'));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const { alg, crit } = parsed(header) ?? {};
    return alg === 'HS256' && crit === undefined ? parsed(payload) : null;
  }

  function isOurs({ iss, exp, nbf }: Claims): boolean {
    const now = Math.floor(Date.now() / 1000);
    const isCurrent = typeof exp === 'number' && now < exp + CLOCK_TOLERANCE_S;
    const hasBegun = nbf === undefined || (typeof nbf === 'number' && nbf <= now + CLOCK_TOLERANCE_S);
    return iss === apiKey && isCurrent && hasBegun;
  }
}

/** A part of a token; null if it is not a JSON object. */
function parsed(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
