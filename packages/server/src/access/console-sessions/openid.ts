import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { addressIn, isUserId } from '../../lib/principal.ts';
import { createOpenIdProvider, type OpenIdSettings, SignInError } from './openid-provider.ts';
import { createRoleOf } from './openid-roles.ts';

export type OpenId = ReturnType<typeof createOpenId>;

/** Maximum duration of a sign-in, in milliseconds. */
export const SIGN_IN_MS = 10 * 60 * 1000;
export const CALLBACK_PATH = '/console/openid/callback';
const HOME = '/console';
const MAX_RETURN = 1000;
const SECRET = /^[\w-]{43}$/;

/**
 * Signs in at an OpenID provider by authorization code with PKCE (RFC 7636). Stateless: the browser keeps a random
 * secret in a cookie, from which state, nonce and code verifier are derived (ADR 0019).
 */
export function createOpenId(settings: OpenIdSettings) {
  const { issuer, clientId, publicUrl, scope } = settings;
  const roleOf = createRoleOf(settings);
  const provider = createOpenIdProvider(settings);
  const redirect_uri = `${publicUrl}${CALLBACK_PATH}`;

  /** The provider's sign-in address, and the secret for the browser's cookie. Throws `SignInError`. */
  async function begin(returnTo: unknown): Promise<{ location: string; kept: string }> {
    const { authorization_endpoint } = await provider.metadata();
    const secret = randomBytes(32).toString('base64url');
    const location = new URL(authorization_endpoint);
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri,
      scope,
      state: derive(secret, 'state'),
      nonce: derive(secret, 'nonce'),
      code_challenge: challengeOf(derive(secret, 'verifier')),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) location.searchParams.set(name, value);
    return { location: location.href, kept: `${secret}.${Buffer.from(pageOf(returnTo)).toString('base64url')}` };
  }

  /** The person who has signed in, with its role, and the page to return to. Throws `SignInError`. */
  async function finish(kept: string | undefined, query: Record<string, unknown>) {
    const [secret = '', page = ''] = kept?.split('.') ?? [];
    if (!SECRET.test(secret) || !isSame(query.state, derive(secret, 'state')))
      throw new SignInError('state', 'this browser has not begun this sign-in');
    if (query.iss !== undefined && query.iss !== issuer)
      throw new SignInError('refused', 'the answer is of another issuer');
    if (query.error !== undefined)
      throw new SignInError(query.error === 'access_denied' ? 'denied' : 'refused', 'the provider refuses');
    if (typeof query.code !== 'string' || query.code === '') throw new SignInError('refused', 'there is no code');
    const idToken = await provider.exchange(query.code, derive(secret, 'verifier'), redirect_uri);
    const claims = await provider.verify(idToken, derive(secret, 'nonce'));
    const { sub } = claims;
    if (!isUserId(sub)) throw new SignInError('refused', 'the subject is no user id');
    const person = { subject: sub, label: addressIn(claims), ...roleOf(sub, claims) };
    return { person, idToken, returnTo: pageOf(Buffer.from(page, 'base64url').toString()) };
  }

  /**
   * The provider's sign-out address, which leads back to the console (OpenID Connect RP-Initiated Logout 1.0); null
   * if it has none. Without an ID token the provider asks the user first. Throws `SignInError`.
   */
  async function signOutAddress(idToken: string | null): Promise<string | null> {
    const { end_session_endpoint } = await provider.metadata();
    if (end_session_endpoint === null) return null;
    const location = new URL(end_session_endpoint);
    const query = {
      ...(idToken !== null && { id_token_hint: idToken }),
      client_id: clientId,
      post_logout_redirect_uri: `${publicUrl}${HOME}`,
    };
    for (const [name, value] of Object.entries(query)) location.searchParams.set(name, value);
    return location.href;
  }

  /** The requested page if it belongs to the console, otherwise the home page: no open redirect. */
  function pageOf(named: unknown): string {
    if (typeof named !== 'string' || named.length > MAX_RETURN || !URL.canParse(named, publicUrl)) return HOME;
    const { origin, pathname, search } = new URL(named, publicUrl);
    const isOurs = origin === new URL(publicUrl).origin && (pathname === HOME || pathname.startsWith(`${HOME}/`));
    return isOurs && !pathname.startsWith(`${HOME}/openid`) ? `${pathname}${search}` : HOME;
  }

  return { begin, finish, signOutAddress, publicUrl };
}

function derive(secret: string, what: string): string {
  return createHash('sha256').update(`${what} ${secret}`).digest('base64url');
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function isSame(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || Buffer.byteLength(given) !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
