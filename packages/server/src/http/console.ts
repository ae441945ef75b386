import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { registerDownloads } from './downloads.ts';
import { DIST, readStaticFile, type StaticFile, sendStaticFile as send, TYPES } from './static-files.ts';

/** Asset names contain a content hash. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/**
 * Serves the console at `/console`; any other path below it is a page of the console. `mediaUrl` is the media server
 * that pages may connect to besides this service. Without the built files there is no console.
 */
export function registerConsole(app: FastifyInstance, mediaUrl: string | null): void {
  const isBuilt = existsSync(path.join(DIST, 'index.html'));
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(isBuilt ? '/console' : '/docs'));
  if (!isBuilt) return;
  registerDownloads(app);
  const policy = contentSecurityPolicy(mediaUrl);
  const files = new Map<string, StaticFile>();
  const read = (name: string) => {
    const known = files.get(name) ?? readStaticFile(name);
    files.set(name, known);
    return known;
  };
  const assets = new Set(readdirSync(path.join(DIST, 'assets')));

  const page = (request: FastifyRequest, reply: FastifyReply) => {
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .header('permissions-policy', 'camera=(), geolocation=(), microphone=(self)');
    return send(request, reply, read('index.html'), 'no-cache');
  };
  app.get('/console', { schema: { hide: true } }, page);
  app.get('/console/*', { schema: { hide: true } }, page);
  app.get('/console/icon.svg', { schema: { hide: true } }, (request, reply) =>
    send(request, reply, read('icon.svg'), 'public, max-age=86400'),
  );
  app.get('/console/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const { name } = request.params as { name: string };
    if (!assets.has(name) || !(path.extname(name) in TYPES)) throw new AppError('route_not_found');
    reply.header('x-content-type-options', 'nosniff');
    return send(request, reply, read(path.join('assets', name)), FOR_GOOD);
  });
}

/** Pages load only from this service, and connect to the media server for calls in the browser. */
function contentSecurityPolicy(mediaUrl: string | null): string {
  const media = mediaUrl ? ` ${originsOf(mediaUrl)}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "media-src 'self'",
    `connect-src 'self'${media}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The media server's origin: for its WebSocket, and for the HTTP request that diagnoses a failed one. */
function originsOf(mediaUrl: string): string {
  const { protocol, host } = new URL(mediaUrl);
  const [ws, http] = ['wss:', 'https:'].includes(protocol) ? ['wss', 'https'] : ['ws', 'http'];
  return `${ws}://${host} ${http}://${host}`;
}
