import type { FastifyInstance } from 'fastify';
import { AppError, InvalidRequest } from '../lib/errors.ts';

/** Node joins the values of a repeated header (`me, you`) or keeps only the first. */
const SINGLE = new Set(['x-user-id', 'idempotency-key', 'host', 'authorization']);
const LENGTHS = new Set([...SINGLE].map(({ length }) => length));

/**
 * Rejects a single-valued header that is sent twice: a proxy that reads the other value would see a different
 * request.
 */
export function registerSingleHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders } }, _reply, done) => {
    const seen: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const raw = rawHeaders[index] ?? '';
      if (!LENGTHS.has(raw.length)) continue;
      const name = raw.toLowerCase();
      if (!SINGLE.has(name)) continue;
      if (seen.includes(name)) throw refusalOf(name);
      seen.push(name);
    }
    done();
  });
}

function refusalOf(name: string): Error {
  if (name === 'host' || name === 'authorization')
    return new AppError('bad_request', { detail: `The request has two ${name} headers; send one.` });
  return new InvalidRequest([{ loc: ['header', name], msg: 'The header should appear once', type: 'value_error' }]);
}
