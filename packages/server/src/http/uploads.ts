import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { createOwnerLimit } from '../lib/owner-limit.ts';
import { createSpool } from '../lib/spool.ts';
import { NDJSON_TYPE, ownerOf, whenClosed } from './csv.ts';

/** A file that is read while it arrives. */
export interface Upload {
  type: 'text/csv' | typeof NDJSON_TYPE;
  /** Throws `body_incomplete` after what has arrived if the client disconnects, and `too_many_uploads`. */
  parts: AsyncIterable<Buffer>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts files as well, by the line: `upload` of the request has the file, and the body is an empty list. */
    upload?: boolean;
  }
  interface FastifyRequest {
    upload: Upload | null;
  }
}

/** Files that may arrive at the same time in a process, and of one owner, and their bytes that are not read yet. */
export const MAX_UPLOADS = 16;
export const MAX_UPLOADS_OF_OWNER = 4;
export const MAX_UPLOAD_BYTES = 512 * 1024 * 1024;
/** Seconds for `Retry-After`: a file may have arrived by then. */
const RETRY_LATER_S = 5;

/**
 * Takes files of any length. They are read as fast as they arrive, into a temporary file if need be: a client whose
 * file waits for the database would run into `REQUEST_TIMEOUT_MS`.
 */
export function createUploads() {
  const spool = createSpool(MAX_UPLOAD_BYTES, MAX_UPLOADS);
  const perOwner = createOwnerLimit(MAX_UPLOADS_OF_OWNER);
  return (request: FastifyRequest, payload: IncomingMessage, type: Upload['type']): object => {
    if (request.headers['content-encoding']) throw new AppError('unsupported_media_type');
    const owner = ownerOf(request);
    if (!perOwner.take(owner)) throw new AppError('too_many_uploads', { retry_after_s: RETRY_LATER_S });
    whenClosed(payload, () => perOwner.giveBack(owner));
    const parts = spool((push) => receive(payload, push), new AbortController().signal);
    request.upload = { type, parts };
    return emptyBody(request);
  };
}

async function receive(payload: IncomingMessage, push: (part: Buffer) => Promise<void>): Promise<void> {
  try {
    for await (const part of payload) await push(part as Buffer);
  } catch (cause) {
    const isFull = cause instanceof AppError && cause.code === 'too_many_exports';
    if (isFull) throw new AppError('too_many_uploads', { retry_after_s: RETRY_LATER_S });
    throw cause instanceof AppError ? cause : new AppError('body_incomplete', { cause });
  }
}

/** A body that the schema of the operation accepts. */
function emptyBody(request: FastifyRequest): object {
  const body = request.routeOptions.schema?.body as { properties: object };
  return Object.fromEntries(Object.keys(body.properties).map((name) => [name, []]));
}

/** Parses files of JSON lines for operations that accept them; 415 for all others. */
export function registerUploads(app: FastifyInstance, take: ReturnType<typeof createUploads>): void {
  app.decorateRequest('upload', null);
  app.addContentTypeParser(NDJSON_TYPE, (request: FastifyRequest, payload: IncomingMessage, done) => {
    if (!request.routeOptions.config.upload) throw new AppError('unsupported_media_type');
    done(null, take(request, payload, NDJSON_TYPE));
  });
}
