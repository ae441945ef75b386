import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';

/** Files that `packages/console/build.ts` creates when the packages are installed. */
const DIST = path.resolve(import.meta.dirname, '../../../console/dist');
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** In order of preference. */
const ENCODINGS = [
  { name: 'br', end: '.br' },
  { name: 'gzip', end: '.gz' },
];
/** Asset names contain a content hash. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

interface File {
  type: string;
  etag: string;
  /** The contents by content encoding; '' is uncompressed. */
  bodies: Map<string, Buffer>;
}

/**
 * Serves the console at `/console`; any other path below it is a page of the console. `mediaUrl` is the media server
 * that pages may connect to besides this service. Without the built files there is no console.
 */
export function registerConsole(app: FastifyInstance, mediaUrl: string | null): void {
  const isBuilt = existsSync(path.join(DIST, 'index.html'));
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect(isBuilt ? '/console' : '/docs'));
  if (!isBuilt) return;
  const policy = contentSecurityPolicy(mediaUrl);
  const files = new Map<string, File>();
  const read = (name: string) => {
    const known = files.get(name) ?? readFile(name);
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

function readFile(name: string): File {
  const file = path.join(DIST, name);
  const whole = readFileSync(file);
  return {
    type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(whole).digest('base64url').slice(0, 22)}"`,
    bodies: new Map([
      ['', whole],
      ...ENCODINGS.filter(({ end }) => existsSync(`${file}${end}`)).map(
        ({ name: encoding, end }) => [encoding, readFileSync(`${file}${end}`)] as const,
      ),
    ]),
  };
}

/** One buffer shared by all requests, in the best encoding that the browser accepts. */
function send(request: FastifyRequest, reply: FastifyReply, file: File, caching: string): FastifyReply {
  const taken = new Set((request.headers['accept-encoding'] ?? '').toString().match(/[\w-]+(?!\s*;\s*q=0(\.0*)?\b)/g));
  const encoding = ENCODINGS.find(({ name }) => taken.has(name) && file.bodies.has(name))?.name ?? '';
  reply
    .type(file.type)
    .header('cache-control', caching)
    .header('vary', 'accept-encoding')
    .header('etag', encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag);
  if (request.headers['if-none-match'] === reply.getHeader('etag')) return reply.status(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(file.bodies.get(encoding));
}
