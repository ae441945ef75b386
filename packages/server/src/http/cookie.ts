import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from './hosts.ts';

const NAME = 'switchboard_session';

/** The console's token in the request's cookies. */
export function cookieOf({ headers }: FastifyRequest): string | undefined {
  const [, value] = new RegExp(`(?:^|;\\s*)${NAME}=([^;\\s]+)`).exec(headers.cookie ?? '') ?? [];
  return value;
}

/**
 * Has the browser keep the token, for requests of our own pages alone and out of reach of scripts. Only over TLS,
 * unless the service is asked at a loopback address, where it has none.
 */
export function setCookie(reply: FastifyReply, token: string, maxAgeMs: number): void {
  const { protocol, host } = reply.request;
  const isPlain = protocol === 'http' && isLoopbackHost(host);
  const attributes = [`Max-Age=${Math.floor(maxAgeMs / 1000)}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  reply.header('set-cookie', [`${NAME}=${token}`, ...attributes, ...(isPlain ? [] : ['Secure'])].join('; '));
  reply.header('cache-control', 'no-store');
}
