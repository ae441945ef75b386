import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from './hosts.ts';

const NAME = 'switchboard_session';
const SIGN_IN = 'switchboard_sign_in';

/** The console's token in the request's cookies. */
export function cookieOf(request: FastifyRequest): string | undefined {
  return read(request, NAME);
}

/** The secret that the browser keeps while its user signs in elsewhere. */
export function signInCookieOf(request: FastifyRequest): string | undefined {
  return read(request, SIGN_IN);
}

function read({ headers }: FastifyRequest, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^|;\\s*)${name}=([^;\\s]+)`).exec(headers.cookie ?? '') ?? [];
  return value;
}

/**
 * Has the browser keep the token, for requests of our own pages alone and out of reach of scripts. Only over TLS,
 * unless the service is asked at a loopback address, where it has none.
 */
export function setCookie(reply: FastifyReply, token: string, maxAgeMs: number): void {
  write(reply, `${NAME}=${token}`, maxAgeMs, ['Path=/', 'HttpOnly', 'SameSite=Strict']);
}

/**
 * Has the browser keep what it needs when it comes back from another site: a navigation from there brings cookies that
 * are `Lax`, and no `Strict` ones.
 */
export function setSignInCookie(reply: FastifyReply, kept: string, maxAgeMs: number): void {
  write(reply, `${SIGN_IN}=${kept}`, maxAgeMs, ['Path=/console/openid', 'HttpOnly', 'SameSite=Lax']);
}

function write(reply: FastifyReply, cookie: string, maxAgeMs: number, attributes: string[]): void {
  const { protocol, host } = reply.request;
  const isPlain = protocol === 'http' && isLoopbackHost(host);
  const age = `Max-Age=${Math.floor(maxAgeMs / 1000)}`;
  reply.header('set-cookie', [cookie, age, ...attributes, ...(isPlain ? [] : ['Secure'])].join('; '));
  reply.header('cache-control', 'no-store');
}
