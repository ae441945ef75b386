import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createStaticFile, DIST, type StaticFile, sendStaticFile, TYPES } from './static-files.ts';

const HEADERS = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' };

/**
 * Serves the reference at `/docs` and its description at `/openapi.json`. The page is built with the console, whose
 * assets it loads; without the built files, `/docs` leads to the description.
 */
export function registerReference(app: FastifyInstance): void {
  registerPage(app);
  let description: StaticFile | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
    // On the first request, because the routes are not complete before.
    description ??= createStaticFile('application/json; charset=utf-8', JSON.stringify(app.swagger()));
    reply.headers({ ...HEADERS, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" });
    return sendStaticFile(request, reply, description, 'no-cache');
  });
}

function registerPage(app: FastifyInstance): void {
  const file = path.join(DIST, 'reference.html');
  const html = existsSync(file) ? readFileSync(file, 'utf8') : null;
  app.get('/docs', { schema: { hide: true } }, (_request, reply) => {
    if (html === null) return reply.redirect('/openapi.json');
    const nonce = randomBytes(16).toString('base64url');
    return reply
      .headers({ ...HEADERS, 'content-security-policy': contentSecurityPolicy(nonce), 'cache-control': 'no-store' })
      .type(TYPES['.html'] as string)
      .send(html.replace('NONCE', nonce));
  });
}

/** Like the console's. Scalar adds style elements, which carry the nonce of the response. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
