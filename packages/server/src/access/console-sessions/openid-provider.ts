import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';

/** Milliseconds per request to the provider. */
const TIMEOUT_MS = 5_000;
/** Maximum bytes of a provider's response. */
const MAX_BYTES = 256 * 1024;
/** How long the discovered addresses are cached. */
const KNOWN_MS = 60 * 60 * 1000;
/** Tolerated clock skew, in seconds. */
const CLOCK_TOLERANCE_S = 5;
const MAX_AGE_S = 10 * 60;
/** Asymmetric only: with a shared secret, anyone who can verify a token can also forge one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Why a sign-in failed; a query parameter of the sign-in page. */
export type SignInProblem = 'state' | 'denied' | 'refused' | 'unavailable';

export class SignInError extends Error {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, message: string) {
    super(message);
    this.name = 'SignInError';
    this.problem = problem;
  }
}

export interface OpenIdSettings {
  issuer: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** The origin at which browsers reach the service. */
  publicUrl: string;
  /** Scopes to request, separated by spaces. */
  scope: string;
  /** The claim that holds the groups, and the roles that they give, as in OPENID_ROLES. */
  roleClaim: string;
  roles: readonly string[];
}

interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
  /** The provider's sign-out address (OpenID Connect RP-Initiated Logout 1.0); null if it has none. */
  end_session_endpoint: string | null;
  keys: ReturnType<typeof createRemoteJWKSet>;
}

/**
 * An OpenID provider (OpenID Connect Core 1.0), discovered from its issuer. Throws `SignInError`: `unavailable` when
 * it is unreachable, `refused` for an invalid code or token.
 */
export function createOpenIdProvider({ issuer, clientId, clientSecret }: OpenIdSettings) {
  let known: { metadata: Promise<Metadata>; until: number } | null = null;

  function metadata(): Promise<Metadata> {
    if (known && performance.now() < known.until) return known.metadata;
    const asked = { metadata: discover(issuer), until: performance.now() + KNOWN_MS };
    known = asked;
    asked.metadata.catch(() => {
      if (known === asked) known = null;
    });
    return asked.metadata;
  }

  /** Exchanges a code for an ID token. */
  async function exchange(code: string, code_verifier: string, redirect_uri: string): Promise<string> {
    const { token_endpoint } = await metadata();
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id: clientId };
    const headers: Record<string, string> = { accept: 'application/json' };
    if (clientSecret !== null) headers.authorization = basic(clientId, clientSecret);
    const init = { method: 'POST', headers, body: new URLSearchParams(form) };
    const response = await ask(token_endpoint, init);
    if (response.status >= 500) throw new SignInError('unavailable', `the token endpoint answers ${response.status}`);
    const { id_token } = await jsonOf(response);
    if (!response.ok) throw new SignInError('refused', `the token endpoint answers ${response.status}`);
    if (typeof id_token !== 'string') throw new SignInError('refused', 'the provider gave no ID token');
    return id_token;
  }

  /** The claims of an ID token that is valid for this client and this sign-in. */
  async function verify(idToken: string, nonce: string): Promise<JWTPayload> {
    const { keys } = await metadata();
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience: clientId,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        maxTokenAge: MAX_AGE_S,
      });
      const isForOthersToo = Array.isArray(payload.aud) && payload.aud.length > 1;
      if ((isForOthersToo || payload.azp !== undefined) && payload.azp !== clientId)
        throw new SignInError('refused', 'the ID token was given to another client');
      if (payload.nonce !== nonce) throw new SignInError('refused', 'the ID token is of another sign-in');
      return payload;
    } catch (error) {
      if (error instanceof SignInError) throw error;
      const isAway = error instanceof errors.JWKSTimeout || (error as { code?: string }).code === 'ERR_JOSE_GENERIC';
      throw new SignInError(
        isAway ? 'unavailable' : 'refused',
        `the ID token is not accepted: ${(error as Error).message}`,
      );
    }
  }

  return { metadata, exchange, verify };
}

/** Discovers the provider's endpoints (OpenID Connect Discovery 1.0). */
async function discover(issuer: string): Promise<Metadata> {
  const response = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {});
  if (!response.ok) throw new SignInError('unavailable', `the discovery of the provider answers ${response.status}`);
  const found = await jsonOf(response);
  if (found.issuer !== issuer)
    throw new SignInError('unavailable', 'the provider names another issuer than OPENID_ISSUER');
  const usable = (name: string): string | null => {
    const url = found[name];
    const isGood =
      typeof url === 'string' && URL.canParse(url) && url.startsWith(issuer.startsWith('https:') ? 'https:' : 'http');
    return isGood ? url : null;
  };
  const endpoint = (name: string): string => {
    const url = usable(name);
    if (url === null) throw new SignInError('unavailable', `the provider has no usable ${name}`);
    return url;
  };
  const keys = createRemoteJWKSet(new URL(endpoint('jwks_uri')), { timeoutDuration: TIMEOUT_MS, [customFetch]: ask });
  const [authorization_endpoint, token_endpoint] = [endpoint('authorization_endpoint'), endpoint('token_endpoint')];
  return { authorization_endpoint, token_endpoint, end_session_endpoint: usable('end_session_endpoint'), keys };
}

/** Sends a request and reads its response, with limits on time and size. Redirects are not followed. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const chunks: Uint8Array[] = [];
    let received = 0;
    for await (const chunk of response.body ?? []) {
      received += chunk.length;
      if (received > MAX_BYTES) throw new Error('the answer is too large');
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), {
      status: response.status,
      headers: { 'content-type': 'application/json' },
    });
  } catch (error) {
    throw new SignInError('unavailable', `the provider cannot be asked: ${(error as Error).message}`);
  }
}

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) throw new SignInError('unavailable', 'the provider answers no JSON');
  return body as Record<string, unknown>;
}

/** Form-encoded first (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}
