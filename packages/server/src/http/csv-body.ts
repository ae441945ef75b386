import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CsvColumns, InvalidCsv, readCsv } from '../lib/csv-read.ts';
import { AppError } from '../lib/errors.ts';
import { InvalidRequest, type Problem } from '../lib/invalid.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts CSV as well: its records become the items of this list of the body, its columns their fields. */
    csvBody?: { list: string; ignored: readonly string[]; required: readonly string[] };
  }
  interface FastifyRequest {
    /** The line number of each item of a list that was sent as CSV; null for other bodies. */
    csvLines: number[] | null;
  }
}

type Parse = (request: FastifyRequest, text: string) => unknown;
export type Parser = (
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: unknown) => void,
) => void;

/** Parses `text/csv` for operations with a `csvBody`; `take` does so for those with an `upload`; 415 for all others. */
export function registerCsvBody(
  app: FastifyInstance,
  parser: (parse: Parse) => Parser,
  take: (request: FastifyRequest, payload: IncomingMessage, type: 'text/csv') => object,
): void {
  app.decorateRequest('csvLines', null);
  const read = parser(parseCsvBody);
  app.addContentTypeParser('text/csv', (request: FastifyRequest, payload: IncomingMessage, done) => {
    if (request.routeOptions.config.upload) return done(null, take(request, payload, 'text/csv'));
    if (!request.routeOptions.config.csvBody) throw new AppError('unsupported_media_type');
    read(request, payload, done);
  });
}

function parseCsvBody(request: FastifyRequest, text: string): unknown {
  const { list = '', ignored = [], required = [] } = request.routeOptions.config.csvBody ?? {};
  const body = request.routeOptions.schema?.body as { properties: Record<string, { items: object; maxItems: number }> };
  const { items = {}, maxItems = 0 } = body.properties[list] ?? {};
  try {
    // One record above the limit, so that validation rejects the body: reading all of its lines could take seconds.
    const { records, lines } = readCsv(text, columnsOf(items, ignored, required), maxItems + 1);
    request.csvLines = lines;
    return { [list]: records };
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    throw new InvalidRequest(
      error.mistakes.map(({ line, msg }) => ({ loc: ['body', 'line', line], msg, type: 'csv_invalid' })),
    );
  }
}

/** The columns of a file with records of this schema; those in `always` are required in any case. */
export function columnsOf(item: object, ignored: readonly string[], always: readonly string[]): CsvColumns {
  const { properties = {}, required = [] } = item as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  const booleans = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean');
  return { known: Object.keys(properties), required: [...required, ...always], ignored, booleans };
}

/** The problem with the line number in place of the item's index. */
export function onLine(problem: Problem, lines: number[]): Problem {
  const [place = 'body', , index, ...field] = problem.loc;
  const line = lines[Number(index)];
  return line === undefined ? problem : { ...problem, loc: [place, 'line', line, ...field] };
}
