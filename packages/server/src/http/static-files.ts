import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Files that `packages/console/build.ts` creates when the packages are installed. */
export const DIST = path.resolve(import.meta.dirname, '../../../console/dist');
export const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** In order of preference. */
const ENCODINGS = [
  { name: 'br', end: '.br' },
  { name: 'gzip', end: '.gz' },
];

/** A file in memory, shared by all requests: thousands of slow clients would need thousands of buffers. */
export interface StaticFile {
  type: string;
  etag: string;
  /** The contents by content encoding; '' is uncompressed. */
  bodies: Map<string, Buffer>;
}

/** Reads a file of the console, with the compressed ones next to it. */
export function readStaticFile(name: string): StaticFile {
  const file = path.join(DIST, name);
  const bodies = new Map(
    ENCODINGS.filter(({ end }) => existsSync(`${file}${end}`)).map(
      ({ name: encoding, end }) => [encoding, readFileSync(`${file}${end}`)] as const,
    ),
  );
  return fileOf(TYPES[path.extname(name)] ?? 'application/octet-stream', readFileSync(file), bodies);
}

/** A file of text that is known only while the service runs. */
export function createStaticFile(type: string, text: string): StaticFile {
  const whole = Buffer.from(text);
  // Half a megabyte takes some milliseconds at this quality, and ten times as long at the highest.
  const br = brotliCompressSync(whole, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return fileOf(type, whole, new Map([['br', br] as const, ['gzip', gzipSync(whole)] as const]));
}

function fileOf(type: string, whole: Buffer, compressed: Map<string, Buffer>): StaticFile {
  const hash = createHash('sha256').update(whole).digest('base64url').slice(0, 22);
  return { type, etag: `"${hash}"`, bodies: new Map([['', whole], ...compressed]) };
}

/** Sends a file in the best encoding that the client accepts, or 304 if it has it. */
export function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  caching: string,
): FastifyReply {
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
