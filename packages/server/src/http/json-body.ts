import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { plainDecimal } from '../lib/decimal.ts';
import { AppError } from '../lib/errors.ts';
import { InvalidRequest } from '../lib/invalid.ts';
import type { LoopTurns } from '../lib/turns.ts';
import { createBodyReader } from './body-reader.ts';
import { type Parser, registerCsvBody } from './csv-body.ts';
import { noteLossyNumbers } from './exact-numbers.ts';
import { type Scan, scanJson } from './json-scan.ts';
import { createUploads, registerUploads } from './uploads.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Fields, at any depth, whose JSON numbers keep all their digits: they are parsed to decimal strings. */
    decimals?: readonly string[];
    /** Passes the body on as raw text, for a signature check. */
    rawBody?: boolean;
  }
}

/** The default `bodyLimit` of operations, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The `bodyLimit`, in bytes, of operations with a few short fields. The 17 specified ones accept 1 MiB each. */
export const SMALL_BODY = 64 * 1024;
// Above anything that can be stored (32 levels, 256 KiB); larger bodies would block the event loop.
export const BODY_LIMITS = { depth: 1000, fields: 50_000, values: 150_000 };
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses `application/json`, the media provider's `application/webhook+json`, and `text/csv` where an operation
 * accepts it; 415 for everything else.
 */
export function registerBodies(app: FastifyInstance, turns: LoopTurns): void {
  app.decorateRequest('lossyNumbers', null);
  const readBody = createBodyReader(turns);
  const parser =
    (parse: (request: FastifyRequest, text: string) => unknown): Parser =>
    (request, payload, done) =>
      readBody(
        request,
        payload,
        (body) => {
          if (request.headers['content-encoding']) throw new AppError('unsupported_media_type');
          return parse(request, decode(body));
        },
        done,
      );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/webhook+json'], parser(parseBody));
  const take = createUploads();
  registerCsvBody(app, parser, take);
  registerUploads(app, take);
}

function parseBody(request: FastifyRequest, text: string): unknown {
  const { decimals, rawBody } = request.routeOptions.config;
  const scan = scanWithin(text, decimals ?? [], BODY_LIMITS);
  if (rawBody) return text;
  if (text.trim() === '') return undefined;
  const value = parseJson(text, scan);
  if (scan.hasLongNumber) noteLossyNumbers(request, text);
  return value;
}

/** Parses JSON of any size like a body; numbers of the named fields keep their digits. Throws `InvalidRequest`. */
export function parseJsonFile(text: string, decimals: readonly string[]): unknown {
  const any = { ...BODY_LIMITS, fields: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };
  return parseJson(text, scanWithin(text, decimals, any));
}

function scanWithin(text: string, decimals: readonly string[], limits: typeof BODY_LIMITS): Scan {
  const scan = scanJson(text, limits, decimals);
  if (scan.exceeded === 'depth') throw invalidJson(0, 'Input is nested too deeply');
  if (scan.exceeded === 'fields') throw invalidJson(0, `Input should have at most ${limits.fields} fields`);
  if (scan.exceeded === 'values') throw invalidJson(0, `Input should have at most ${limits.values} values`);
  return scan;
}

/**
 * Parses JSON and replaces the numbers that were found in it with decimal strings. Throws `InvalidRequest` with the
 * offset of the first mistake, or for keys that would reach a prototype.
 */
function parseJson(text: string, { mistake, numbers }: Scan): unknown {
  if (mistake !== null) throw invalidJson(mistake, 'Input should be valid JSON');
  try {
    return secureJsonParse.parse(quoteNumbers(text, numbers));
  } catch {
    throw invalidJson(0, 'Input should not have the keys __proto__ or constructor.prototype');
  }
}

// A double holds 15 to 17 digits, the literal's text all of them. Infinity stays a number, which validation rejects.
function quoteNumbers(text: string, numbers: Scan['numbers']): string {
  let quoted = '';
  let done = 0;
  for (const [from, to] of numbers) {
    const literal = text.slice(from, to);
    if (!Number.isFinite(Number(literal))) continue;
    quoted += `${text.slice(done, from)}"${plainDecimal(literal)}"`;
    done = to;
  }
  return quoted + text.slice(done);
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalidJson(0, 'Input should be UTF-8');
  }
}

function invalidJson(offset: number, msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ['body', offset], msg, type: 'json_invalid' }]);
}
