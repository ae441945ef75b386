import { createHash, createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { AppError } from '../../lib/errors.ts';

/** How far the clocks of the media server and of this machine may be apart, as its SDK has it. */
const CLOCK_TOLERANCE_S = 10;

/**
 * Gives what throws `invalid_signature` unless a token was signed with the API secret for exactly this body and has not expired: LiveKit
 * sends a JWT with the SHA-256 of the body (https://docs.livekit.io/home/server/webhooks). The SDK's own receiver takes two jobs of the
 * thread pool for that, longer than all the rest of a webhook.
 */
export function createSignatureCheck({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }) {
  const secret = createSecretKey(apiSecret, 'utf8');
  const options = { algorithms: ['HS256' as const], issuer: apiKey, clockTolerance: CLOCK_TOLERANCE_S };

  return (body: string, token: string | undefined): void => {
    const { exp, sha256 } = claimsOf(token ?? '');
    if (exp === undefined || sha256 !== createHash('sha256').update(body).digest('base64'))
      throw new AppError('invalid_signature');
  };

  function claimsOf(token: string): jwt.JwtPayload {
    try {
      return jwt.verify(token, secret, { ...options, complete: false }) as jwt.JwtPayload;
    } catch (cause) {
      throw new AppError('invalid_signature', { cause });
    }
  }
}
