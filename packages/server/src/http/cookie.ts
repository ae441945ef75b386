import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from './hosts.ts';

const NAME = 'switchboard_session';
const SIGN_IN = 'switchboard_sign_in';
const ID_TOKEN = 'switchboard_id_token';
/** Browsers keep cookies of up to 4,096 bytes, name and attributes included. */
const MAX_ID_TOKEN = 3_700;
/** Stands for an ID token that is too long: no token is without points. */
const TOO_LONG = 'long';
const OPENID = 'Path=/console/openid';

/** The console's token in the request's cookies. */
export function cookieOf(request: FastifyRequest): string | undefined {
  return read(request, '__Host-', NAME);
}

/** The secret that the browser keeps while its user signs in elsewhere. */
export function signInCookieOf(request: FastifyRequest): string | undefined {
  return read(request, '__Secure-', SIGN_IN);
}

/** The ID token of the user who has signed in elsewhere; null when it was too long to keep, undefined without one. */
export function idTokenCookieOf(request: FastifyRequest): string | null | undefined {
  const kept = read(request, '__Secure-', ID_TOKEN);
  return kept === TOO_LONG ? null : kept;
}

/** Begins the name of a cookie that browsers accept over TLS alone, and with `__Host-` from no other host. */
type Prefix = '__Host-' | '__Secure-';

function read(request: FastifyRequest, prefix: Prefix, name: string): string | undefined {
  const full = `${isPlain(request) ? '' : prefix}${name}`;
  const [, value] = new RegExp(`(?:^|;\\s*)${full}=([^;\\s]+)`).exec(request.headers.cookie ?? '') ?? [];
  return value;
}

/** Whether the service is asked at a loopback address without TLS, where browsers take no secure cookie. */
function isPlain({ protocol, host }: FastifyRequest): boolean {
  return protocol === 'http' && isLoopbackHost(host);
}

/**
 * Has the browser keep the token, for requests of our own pages alone and out of reach of scripts. Only over TLS,
 * unless the service is asked at a loopback address, where it has none.
 */
export function setCookie(reply: FastifyReply, token: string, maxAgeMs: number): void {
  write(reply, '__Host-', `${NAME}=${token}`, maxAgeMs, ['Path=/', 'HttpOnly', 'SameSite=Strict']);
}

/**
 * Has the browser keep what it needs when it comes back from another site: a navigation from there brings cookies that
 * are `Lax`, and no `Strict` ones.
 */
export function setSignInCookie(reply: FastifyReply, kept: string, maxAgeMs: number): void {
  write(reply, '__Secure-', `${SIGN_IN}=${kept}`, maxAgeMs, [OPENID, 'HttpOnly', 'SameSite=Lax']);
}

/**
 * Has the browser keep the ID token that it shows when its user signs out. In the place of one that is too long it
 * keeps that there was one, and not that of whoever was signed in before.
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
