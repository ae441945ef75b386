import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { freeBuffer } from '../lib/free-buffer.ts';

/** A body above this counts towards the bodies of all requests, and waits for its turn to be parsed. Bytes. */
export const LARGE_BODY = 16 * 1024;
/** Large bodies that arrive or wait to be parsed, of all requests and of those from one address. Bytes. */
export const MAX_BODIES_BYTES = 64 * 1024 * 1024;
export const MAX_BODIES_BYTES_PER_ADDRESS = 16 * 1024 * 1024;

/** Reads bodies within the limits of their operation and of all of them together. */
export function createBodyReader() {
  const perAddress = new Map<string, number>();
  let total = 0;

  function count(address: string, bytes: number): void {
    const sum = (perAddress.get(address) ?? 0) + bytes;
    total += bytes;
    if (sum === 0) perAddress.delete(address);
    else perAddress.set(address, sum);
    if (bytes > 0 && (total > MAX_BODIES_BYTES || sum > MAX_BODIES_BYTES_PER_ADDRESS)) throw new AppError('overloaded');
  }

  /**
   * Gives `use` the whole body. Throws `body_too_large`, `body_incomplete` when the client breaks off, and `overloaded`
   * while too much is being sent. What comes after a refusal is thrown away.
   */
  return async function read<T>(
    request: FastifyRequest,
    payload: IncomingMessage,
    use: (body: Buffer) => T | Promise<T>,
  ): Promise<T> {
    const limit = request.routeOptions.bodyLimit ?? 0;
    const { ip } = request;
    let counted = 0;
    const take = (length: number) => {
      if (length > limit) throw new AppError('body_too_large');
      if (length <= LARGE_BODY) return;
      const more = length - counted;
      counted = length;
      count(ip, more);
    };
    try {
      if (Number(request.headers['content-length'] ?? 0) > limit) throw new AppError('body_too_large');
      const body = await collect(payload, take);
      return await Promise.resolve(use(body)).finally(() => freeBuffer(body));
    } finally {
      payload.resume();
      if (counted > 0) count(ip, -counted);
    }
  };
}

/** Resolves with all of it, unless `take`, called with the size so far, throws. */
function collect(payload: IncomingMessage, take: (length: number) => void): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    try {
      take(length);
    } catch (error) {
      payload.off('data', onData);
      fail(error);
    }
  };
  const fail = (error: unknown) => {
    for (const chunk of chunks.splice(0)) freeBuffer(chunk);
    reject(error);
  };
  payload.on('data', onData);
  payload.on('end', () => {
    const [first, ...more] = chunks;
    resolve(first && more.length === 0 ? first : Buffer.concat(chunks));
    if (more.length > 0) for (const chunk of chunks) freeBuffer(chunk);
  });
  payload.on('error', (cause) => fail(new AppError('body_incomplete', { cause })));
  return promise;
}
