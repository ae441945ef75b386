import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { freeBuffer } from '../lib/free-buffer.ts';
import type { Turns } from '../lib/turns.ts';

/** A body above this counts towards the bodies of all requests, and waits for its turn to be parsed. Bytes. */
export const LARGE_BODY = 16 * 1024;
/** Large bodies that arrive or wait to be parsed, of all requests and of those from one address. Bytes. */
export const MAX_BODIES_BYTES = 64 * 1024 * 1024;
export const MAX_BODIES_BYTES_PER_ADDRESS = 16 * 1024 * 1024;

/** Reads bodies within the limits of their operation and of all of them together. */
export function createBodyReader(turns: Pick<Turns, 'enqueue'>) {
  const perAddress = new Map<string, number>();
  let total = 0;

  /** Counts bytes that arrive, or are used; false while too many have arrived. */
  function count(address: string, bytes: number): boolean {
    const sum = (perAddress.get(address) ?? 0) + bytes;
    total += bytes;
    if (sum === 0) perAddress.delete(address);
    else perAddress.set(address, sum);
    return total <= MAX_BODIES_BYTES && sum <= MAX_BODIES_BYTES_PER_ADDRESS;
  }

  /**
   * Gives `use` the whole body, and `done` what it returns or throws. A large body waits for its turn before. Other
   * errors are `body_too_large`, `body_incomplete` when the client breaks off, and `overloaded` while too much is being
   * sent; what comes after a refusal is discarded. Without a promise, because every request with a body is read here.
   */
  return function read<T>(
    request: FastifyRequest,
    payload: IncomingMessage,
    use: (body: Buffer) => T,
    done: (error: Error | null, value?: T) => void,
  ): void {
    const limit = request.routeOptions.bodyLimit ?? 0;
    const { ip } = request;
    const chunks: Buffer[] = [];
    let length = 0;
    let counted = 0;
    /** All of it has arrived, or it was refused. */
    let isOver = false;

    function settle(error: Error | null, value?: T): void {
      payload.resume();
      if (counted > 0) count(ip, -counted);
      done(error, value);
    }

    function refuse(error: Error): void {
      if (isOver) return;
      isOver = true;
      payload.off('data', onData);
      for (const chunk of chunks.splice(0)) freeBuffer(chunk);
      settle(error);
    }

    function onData(chunk: Buffer): void {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) refuse(new AppError('body_too_large'));
      else if (length > LARGE_BODY) countMore();
    }

    function countMore(): void {
      const more = length - counted;
      counted = length;
      if (!count(ip, more)) refuse(new AppError('overloaded'));
    }

    function onEnd(): void {
      if (isOver) return;
      isOver = true;
      const [first, ...more] = chunks;
      const body = first && more.length === 0 ? first : Buffer.concat(chunks);
      if (more.length > 0) for (const chunk of chunks) freeBuffer(chunk);
      // Scanning and parsing a large body takes tens of milliseconds.
      if (body.length > LARGE_BODY) turns.enqueue(request.raw.socket.remoteAddress ?? '', () => finish(body));
      else finish(body);
    }

    function finish(body: Buffer): void {
      let value: T | undefined;
      try {
        value = use(body);
      } catch (error) {
        freeBuffer(body);
        settle(error as Error);
        return;
      }
      freeBuffer(body);
      settle(null, value);
    }

    if (Number(request.headers['content-length'] ?? 0) > limit) {
      settle(new AppError('body_too_large'));
      return;
    }
    payload.on('data', onData);
    payload.on('end', onEnd);
    payload.on('error', (cause) => refuse(new AppError('body_incomplete', { cause })));
  };
}
