import { Readable, type Writable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { type Columns, csvHeader, csvRecord } from '../lib/csv.ts';
import { AppError } from '../lib/errors.ts';
import { createOwnerLimit } from '../lib/owner-limit.ts';
import { createSpool } from '../lib/spool.ts';
import { networkOf } from './addresses.ts';

const JSON_TYPE = 'application/json';
/** Registered by RFC 4180. */
const CSV_TYPE = 'text/csv';
/** One JSON object on each line. */
export const NDJSON_TYPE = 'application/x-ndjson';

/** Concurrent exports per user, key or address, in each process. */
export const MAX_EXPORTS = 4;
/** Seconds for `Retry-After`: an export may be complete by then. */
const RETRY_LATER_S = 5;

/** A response with this schema, or its rows as CSV, or as another type of file. */
export function jsonOrCsv<T extends TSchema>(
  schema: T,
  columns: Columns,
  ...others: string[]
): TSchema & { static: Static<T> } {
  return {
    description: `JSON, or CSV where the \`Accept\` header prefers \`${[CSV_TYPE, ...others].join('`, or `')}\`.`,
    content: {
      [JSON_TYPE]: { schema },
      [CSV_TYPE]: { schema: Type.String(), example: csvHeader(columns) },
      ...Object.fromEntries(others.map((type) => [type, { schema: Type.String() }])),
    },
  } as never;
}

/** The owner of the files of a request: a user, a key that names none, or an address. */
export function ownerOf({ caller, principal, ip }: FastifyRequest): string {
  return caller !== null ? `user ${caller}` : (principal?.name ?? networkOf(ip));
}

/** Whether the `Accept` header prefers CSV (RFC 9110, 12.5.1); JSON unless it names `text/csv`. */
export function prefersCsv(request: FastifyRequest): boolean {
  return prefers(request, CSV_TYPE);
}

/** Whether the `Accept` header names a type of files, and prefers it to JSON. */
export function prefers({ headers }: FastifyRequest, wanted: string): boolean {
  const ranges = (headers.accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, q: q === undefined ? 1 : Number(q.slice(2)) };
  });
  const place = (type: string) => ranges.findIndex((range) => range.type === type);
  const file = ranges[place(wanted)];
  if (!file || !(file.q > 0)) return false;
  const json = ranges[place(JSON_TYPE)] ?? ranges[place('application/*')] ?? ranges[place('*/*')];
  if (!json) return true;
  return file.q === json.q ? json.type !== JSON_TYPE || place(wanted) < place(JSON_TYPE) : file.q > json.q;
}

/** Tells caches that the response depends on `Accept`. */
export function varyByAccept(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept' : `${vary}, Accept`);
}

/**
 * Passes all rows of an export to `take` in batches; stops when it rejects, and may stop when the client is `gone`.
 */
export type EachRows = (take: (rows: object[]) => Promise<void>, gone: AbortSignal) => Promise<void>;

/** The formats of exported files, by their extension. */
const FILE_TYPES = {
  csv: { type: `${CSV_TYPE}; charset=utf-8; header=present`, header: csvHeader, record: csvRecord },
  ndjson: {
    type: `${NDJSON_TYPE}; charset=utf-8`,
    header: () => '',
    record: (_columns: Columns, row: object) => `${JSON.stringify(row)}\n`,
  },
};
type FileType = keyof typeof FILE_TYPES;

/**
 * Sends files of any length in constant memory. Paged rows are read as fast as the client reads; rows of a snapshot
 * (`EachRows`) are spooled to a file, because no client may hold a transaction open. A failed export ends without the
 * last chunk, so that the client notices.
 */
export function createCsvExports() {
  const perOwner = createOwnerLimit(MAX_EXPORTS);
  const spool = createSpool();

  /** Throws `too_many_exports`. */
  function admit(request: FastifyRequest): string {
    const owner = ownerOf(request);
    if (!perOwner.take(owner)) throw new AppError('too_many_exports', { retry_after_s: RETRY_LATER_S });
    return owner;
  }

  function partsOf(
    rows: AsyncIterable<object[]> | EachRows,
    toText: (page: object[]) => string,
    gone: AbortSignal,
  ): AsyncGenerator<string | Buffer> {
    if (typeof rows !== 'function') return textOf(rows, toText);
    return spool((push) => rows((page) => push(toText(page)), gone), gone);
  }

  return async (
    reply: FastifyReply,
    name: string,
    columns: Columns,
    rows: AsyncIterable<object[]> | EachRows,
    type: FileType = 'csv',
  ) => {
    const owner = admit(reply.request);
    const { header, record } = FILE_TYPES[type];
    const toText = (page: object[]) => page.map((row) => record(columns, row)).join('');
    const gone = new AbortController();
    const parts = partsOf(rows, toText, gone.signal);
    // Also ended here: a generator that was never started does not learn that its reader is gone. The slot is freed
    // when the work has ended; otherwise a client could run any number of statements by opening and closing exports.
    const end = () => {
      gone.abort();
      const ended = () => perOwner.giveBack(owner);
      parts.return(undefined).then(ended, ended);
    };
    whenClosed(reply.raw, end);
    // Before the headers are sent, so that an unavailable database is a 503.
    const first = await parts.next();
    return asFile(reply, name, type).send(Readable.from(whileAllowed(reply.request, header(columns), first, parts)));
  };
}

/** Calls `end` once a request or its response is closed, or at once if it is. */
export function whenClosed(stream: Readable | Writable, end: () => void): void {
  // A client that has disconnected emits no further event.
  if (stream.closed) end();
  else stream.once('close', end);
}

async function* textOf(pages: AsyncIterable<object[]>, toText: (page: object[]) => string): AsyncGenerator<string> {
  for await (const page of pages) yield toText(page);
}

async function* whileAllowed(
  request: FastifyRequest,
  header: string,
  first: IteratorResult<string | Buffer>,
  parts: AsyncIterator<string | Buffer>,
): AsyncGenerator<string | Buffer> {
  yield header;
  for (let part = first; !part.done; part = await parts.next()) {
    if (part.value.length > 0) yield part.value;
    // A key may be revoked during its export.
    if ((await request.isStillAllowed?.()) === false) throw new AppError('unauthenticated');
  }
}

function asFile(reply: FastifyReply, name: string, type: FileType): FastifyReply {
  return reply.headers({
    'content-type': FILE_TYPES[type].type,
    'content-disposition': `attachment; filename="${name}.${type}"`,
    'cache-control': 'no-store',
  });
}
