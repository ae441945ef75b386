import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from './hosts.ts';

const NAME = 'switchboard_session';
const SIGN_IN = 'switchboard_sign_in';
const ID_TOKEN = 'switchboard_id_token';
/** Browsers store cookies of up to 4,096 bytes, including name and attributes. */
const MAX_ID_TOKEN = 3_700;
/** Stands for an ID token that is too long for a cookie; a JWT always contains dots. */
const TOO_LONG = 'long';
const OPENID = 'Path=/console/openid';

/** The console's token in the request's cookies. */
export function cookieOf(request: FastifyRequest): string | undefined {
  return read(request, '__Host-', NAME);
}

/** The secret that the browser keeps during a sign-in at the OpenID provider. */
export function signInCookieOf(request: FastifyRequest): string | undefined {
  return read(request, '__Secure-', SIGN_IN);
}

/** The user's ID token; null if it was too long to store, undefined if there is none. */
export function idTokenCookieOf(request: FastifyRequest): string | null | undefined {
  const kept = read(request, '__Secure-', ID_TOKEN);
  return kept === TOO_LONG ? null : kept;
}

/** A cookie name prefix that browsers accept over TLS only, and, with `__Host-`, only from the same host. */
type Prefix = '__Host-' | '__Secure-';

function read(request: FastifyRequest, prefix: Prefix, name: string): string | undefined {
  const full = `${isPlain(request) ? '' : prefix}${name}`;
  const [, value] = new RegExp(`(?:^|;\\s*)${full}=([^;\\s]+)`).exec(request.headers.cookie ?? '') ?? [];
  return value;
}

/** Whether the request was made to a loopback address without TLS, where browsers reject secure cookies. */
function isPlain({ protocol, host }: FastifyRequest): boolean {
  return protocol === 'http' && isLoopbackHost(host);
}

/**
 * Stores the token in a cookie, for same-site requests only and invisible to scripts. TLS only, except on loopback
 * addresses without TLS.
 */
export function setCookie(reply: FastifyReply, token: string, maxAgeMs: number): void {
  write(reply, '__Host-', `${NAME}=${token}`, maxAgeMs, ['Path=/', 'HttpOnly', 'SameSite=Strict']);
}

/** Stores the secret in a `Lax` cookie: a navigation back from the provider sends no `Strict` ones. */
export function setSignInCookie(reply: FastifyReply, kept: string, maxAgeMs: number): void {
  write(reply, '__Secure-', `${SIGN_IN}=${kept}`, maxAgeMs, [OPENID, 'HttpOnly', 'SameSite=Lax']);
}

/**
 * Stores the ID token for signing out at the provider. If it is too long, stores a marker, so that no earlier user's
 * token remains.
 */
export function setIdTokenCookie(reply: FastifyReply, idToken: string, maxAgeMs: number): void {
  const kept = idToken.length > MAX_ID_TOKEN ? TOO_LONG : idToken;
  write(reply, '__Secure-', `${ID_TOKEN}=${kept}`, maxAgeMs, [OPENID, 'HttpOnly', 'SameSite=Strict']);
}

function write(reply: FastifyReply, prefix: Prefix, cookie: string, maxAgeMs: number, attributes: string[]): void {
  const age = `Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  const [named, secure] = isPlain(reply.request) ? [cookie, []] : [`${prefix}${cookie}`, ['Secure']];
  reply.header('set-cookie', [named, age, ...attributes, ...secure].join('; '));
  reply.header('cache-control', 'no-store');
}
