import type { FastifyInstance } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { InvalidRequest } from '../lib/invalid.ts';

/** Node joins the values of a repeated header (`me, you`) or keeps only the first. */
const SINGLE = new Set(['x-user-id', 'idempotency-key', 'host', 'authorization']);

/**
 * Rejects a single-valued header that is sent twice: a proxy that reads the other value would see a different
 * request.
 */
export function registerSingleHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { headers, rawHeaders } }, _reply, done) => {
    // Nearly always, and much faster than looking at each: no header is repeated.
    if (Object.keys(headers).length * 2 < rawHeaders.length) rejectRepeated(rawHeaders);
    done();
  });
}

function rejectRepeated(rawHeaders: string[]): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (SINGLE.has(name) && seen.has(name)) throw refusalOf(name);
    seen.add(name);
  }
}

function refusalOf(name: string): Error {
  if (name === 'host' || name === 'authorization')
    return new AppError('bad_request', { detail: `The request has two ${name} headers; send one.` });
  return new InvalidRequest([{ loc: ['header', name], msg: 'The header should appear once', type: 'value_error' }]);
}
