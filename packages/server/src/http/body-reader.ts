import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { createOwnerLimit } from '../lib/owner-limit.ts';
import type { LoopTurns } from '../lib/turns.ts';
import { networkOf } from './addresses.ts';

/** Bodies above this size, in bytes, count towards the shared limit and are parsed in turn. */
export const LARGE_BODY = 16 * 1024;
/** Limits on large bodies being received or waiting to be parsed, in total and per address. Bytes. */
export const MAX_BODIES_BYTES = 64 * 1024 * 1024;
export const MAX_BODIES_BYTES_PER_ADDRESS = 16 * 1024 * 1024;

/** Reads request bodies within the limits of the operation and of all requests together. */
export function createBodyReader(turns: Pick<LoopTurns, 'enqueue'>) {
  const reservations = createReservations();

  /**
   * Passes the complete body to `use`, and its result or error to `done`. Large bodies wait for their turn. Other
   * errors: `body_too_large`, `body_incomplete` if the client disconnects, `overloaded` if too much is being
   * received; the rest of a refused body is discarded. Callbacks instead of a promise, because every request with a
   * body passes through here.
   */
  return function read<T>(
    request: FastifyRequest,
    payload: IncomingMessage,
    use: (body: Buffer) => T,
    done: (error: Error | null, value?: T) => void,
  ): void {
    const limit = request.routeOptions.bodyLimit ?? 0;
    const reservation = reservations.open(networkOf(request.ip));
    const settle = (error: Error | null, value?: T) => {
      payload.resume();
      reservation.close();
      done(error, value);
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      settle(new AppError('body_too_large'));
      return;
    }
    receive(payload, limit, reservation.grow, (error, body) => {
      if (!body) settle(error);
      // Scanning and parsing a large body takes tens of milliseconds.
      else if (body.length > LARGE_BODY)
        turns.enqueue(networkOf(request.raw.socket.remoteAddress ?? ''), () => useUp(body, use, settle));
      else useUp(body, use, settle);
    });
  };
}

/** Counts the bytes of large bodies in memory. */
function createReservations() {
  const perAddress = createOwnerLimit(MAX_BODIES_BYTES_PER_ADDRESS);
  let total = 0;

  return {
    open: (address: string) => {
      let counted = 0;
      return {
        /** Reserves the bytes of a body that has this length by now; false if the limit is reached. */
        grow: (length: number): boolean => {
          const more = length - counted;
          if (total + more > MAX_BODIES_BYTES || !perAddress.take(address, more)) return false;
          total += more;
          counted = length;
          return true;
        },
        close: () => {
          if (counted === 0) return;
          total -= counted;
          perAddress.giveBack(address, counted);
        },
      };
    },
  };
}

/** Receives a body of up to `limit` bytes; `reserve` may refuse a large one. */
function receive(
  payload: IncomingMessage,
  limit: number,
  reserve: (length: number) => boolean,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  /** The body was received completely or refused. */
  let isOver = false;

  function refuse(error: Error): void {
    if (isOver) return;
    isOver = true;
    payload.off('data', onData);
    for (const chunk of chunks.splice(0)) freeBuffer(chunk);
    done(error);
  }

  function onData(chunk: Buffer): void {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) refuse(new AppError('body_too_large'));
    else if (length > LARGE_BODY && !reserve(length)) refuse(new AppError('overloaded'));
  }

  function onEnd(): void {
    if (isOver) return;
    isOver = true;
    const [first, ...more] = chunks;
    const body = first && more.length === 0 ? first : Buffer.concat(chunks);
    if (more.length > 0) for (const chunk of chunks) freeBuffer(chunk);
    done(null, body);
  }

  // The client may have left while its key was looked up: nothing follows.
  if (payload.destroyed) {
    done(new AppError('body_incomplete'));
    return;
  }
  payload.on('data', onData);
  payload.on('end', onEnd);
  payload.on('error', (cause) => refuse(new AppError('body_incomplete', { cause })));
}

/** Passes a body to `use`, and frees its memory. */
function useUp<T>(body: Buffer, use: (body: Buffer) => T, done: (error: Error | null, value?: T) => void): void {
  let value: T | undefined;
  try {
    value = use(body);
  } catch (error) {
    freeBuffer(body);
    done(error as Error);
    return;
  }
  freeBuffer(body);
  done(null, value);
}

/**
 * Frees the memory of a buffer at once. The garbage collector only sees the few bytes that a buffer takes on its
 * heap, so hundreds of megabytes would accumulate while bodies are read.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
