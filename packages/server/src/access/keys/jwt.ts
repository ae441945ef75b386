import { createRemoteJWKSet, type ExportedJWKSCache, errors, type JWTVerifyGetKey, jwksCache, jwtVerify } from 'jose';
import { AppError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/log.ts';
import { type Authenticate, addressIn, isUserId } from '../../lib/principal.ts';

const TIMEOUT_MS = 5_000;
/** Tolerated clock skew, in seconds. */
const CLOCK_TOLERANCE_S = 5;
/** Age at which the provider's keys are fetched again, and up to which they are used if that fails. Milliseconds. */
const FETCH_AGAIN_MS = 10 * 60_000;
const MAX_AGE_MS = 60 * 60_000;
/** Pause after a fetch of keys that are still used has failed. */
const RETRY_MS = 10_000;

/**
 * Accepts JWTs of an OpenID provider: signed by a key of its JWKS, with this issuer and audience, not expired. The
 * user is `sub`. Throws `provider_unavailable` when the keys cannot be fetched, an hour after they were fetched last.
 */
export function createJwtAuthenticate({
  issuer,
  audience,
  jwksUrl,
  log,
}: {
  issuer: string;
  audience: string;
  jwksUrl: string;
  log: Pick<Logger, 'warn'>;
}): Authenticate {
  const keys = createProviderKeys(jwksUrl, log);
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

/** The keys of the provider. An outage of it does not matter before the last ones are an hour old. */
function createProviderKeys(url: string, log: Pick<Logger, 'warn'>): JWTVerifyGetKey {
  // Filled by `keys` whenever it has fetched some.
  const last = {} as ExportedJWKSCache;
  const limits = { timeoutDuration: TIMEOUT_MS, cacheMaxAge: MAX_AGE_MS };
  const keys = createRemoteJWKSet(new URL(url), { ...limits, [jwksCache]: last });
  let failedAt = 0;
  let fetching: Promise<void> | null = null;

  function fetchAgain(): Promise<void> {
    fetching ??= keys
      .reload()
      .catch((err: unknown) => {
        failedAt = Date.now();
        log.warn(
          { err },
          'fetching the keys of the identity provider failed; the last ones are used until they are an hour old',
        );
      })
      .finally(() => {
        fetching = null;
      });
    return fetching;
  }

  return async (header, token) => {
    const now = Date.now();
    // Keys that are not `fresh` are fetched by `keys` itself, as those of unknown ids are.
    if (keys.fresh && now >= last.uat + FETCH_AGAIN_MS) {
      const isAway = failedAt > last.uat;
      if (!isAway) await fetchAgain();
      // No request waits for a provider that has just failed.
      else if (now >= failedAt + RETRY_MS) void fetchAgain();
    }
    return keys(header, token);
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
