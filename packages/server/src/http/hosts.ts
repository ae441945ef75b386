import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';

/**
 * Probes learn nothing that is anybody's. The media server posts to whatever name it was given, and is known by its
 * signature.
 */
const ANY_HOST = new Set(['/healthz', '/readyz', '/api/media/webhook']);

/** Names that the `Host` header may have. */
export interface AllowedHosts {
  names: readonly string[];
  /** Also any address: no page of another origin can be served under it. */
  addresses: boolean;
}

/**
 * Refuses requests for other hosts. In open mode whoever reaches the service is believed: a web page whose name was
 * made to resolve to it (DNS rebinding) would reach it from its visitor's browser.
 */
export function registerHosts(app: FastifyInstance, allowed: AllowedHosts | null): void {
  if (!allowed) return;
  const names = new Set(allowed.names);
  const isAllowed = (name: string) => names.has(name) || isLoopback(name) || (allowed.addresses && isIP(name) !== 0);
  app.addHook('onRequest', ({ headers: { host }, routeOptions }, _reply, done) => {
    if (host !== undefined && !ANY_HOST.has(routeOptions.url ?? '') && !isAllowed(nameOf(host)))
      throw new AppError('host_not_allowed');
    done();
  });
}

function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** Whether a host, with or without its port, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback(nameOf(host));
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
