import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { AppError } from '../../lib/errors.ts';
import { type Authenticate, addressIn, isUserId } from '../../lib/principal.ts';

const TIMEOUT_MS = 5_000;
/** Tolerated clock skew, in seconds. */
const CLOCK_TOLERANCE_S = 5;

/**
 * Accepts JWTs of an OpenID provider: signed by a key of its JWKS, with this issuer and audience, not expired. The
 * user is `sub`. Throws `provider_unavailable` when the keys cannot be fetched.
 */
export function createJwtAuthenticate({
  issuer,
  audience,
  jwksUrl,
}: {
  issuer: string;
  audience: string;
  jwksUrl: string;
}): Authenticate {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: TIMEOUT_MS });
  return async (token) => {
    try {
      // Asymmetric only: with a shared secret, anyone who can verify a token can also forge one.
      const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
      const options = {
        issuer,
        audience,
        algorithms,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['sub', 'exp'],
      };
      const { payload } = await jwtVerify(token, keys, options);
      if (!isUserId(payload.sub)) return null;
      const expires_at = new Date(((payload.exp ?? 0) + CLOCK_TOLERANCE_S) * 1000);
      const label = addressIn(payload);
      return { name: 'token', label, role: 'user', user_id: payload.sub, scopes: null, expires_at };
    } catch (cause) {
      if (isTokensFault(cause)) return null;
      throw new AppError('provider_unavailable', {
        detail: 'The keys of the identity provider cannot be fetched.',
        cause,
      });
    }
  };
}

function isTokensFault(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return error instanceof TypeError && /Invalid/.test(error.message);
  return !(
    error instanceof errors.JWKSTimeout ||
    error.code === 'ERR_JOSE_GENERIC' ||
    error instanceof errors.JWKSInvalid
  );
}
