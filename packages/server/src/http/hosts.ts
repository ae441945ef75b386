import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { isLoopback } from '../lib/loopback.ts';

/** Probes reveal no user data. The media server posts to any name, and authenticates with its signature. */
const ANY_HOST = new Set(['/healthz', '/readyz', '/api/media/webhook']);

/**
 * Rejects requests for other hosts. In open mode every client that reaches the service is trusted, so a web page
 * whose name resolves to the service (DNS rebinding) would gain access through its visitor's browser.
 */
export function registerHosts(app: FastifyInstance, allowed: readonly string[] | null): void {
  if (!allowed) return;
  const names = new Set(allowed);
  const isAllowed = (name: string) => names.has(name) || isLoopback(name);
  // Clients rarely differ in it, and every request passes through here.
  let lastAllowed: string | undefined;
  app.addHook('onRequest', ({ headers: { host }, routeOptions }, _reply, done) => {
    if (host !== lastAllowed && host !== undefined && !ANY_HOST.has(routeOptions.url ?? '')) {
      if (!isAllowed(nameOf(host))) throw new AppError('host_not_allowed');
      lastAllowed = host;
    }
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

/** Whether a host, with or without a port, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback(nameOf(host));
}
