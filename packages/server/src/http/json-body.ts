import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { plainDecimal } from '../lib/decimal.ts';
import { AppError, InvalidRequest } from '../lib/errors.ts';
import type { Turns } from '../lib/turns.ts';
import { createBodyReader } from './body-reader.ts';
import { type Parser, registerCsvBody } from './csv-body.ts';
import { type Scan, scanJson } from './json-scan.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Fields, of objects at any depth of the body, whose JSON numbers keep the digits they were sent with: they are
     * parsed to decimal strings.
     */
    decimals?: readonly string[];
    /** The body is handed over as the text that was sent, for a signature to be checked over it. */
    rawBody?: boolean;
  }
}

/** The `bodyLimit`, in bytes, of operations that do not set one. */
export const MAX_BODY_BYTES = 1024 * 1024;
/**
 * The `bodyLimit`, in bytes, of operations that take some short fields and are none of the 17, which take 1 MiB each.
 */
export const SMALL_BODY = 64 * 1024;
// More than anything that is stored can have, in 32 levels and 256 KiB; beyond it, reading the body would hold up
// everybody.
export const BODY_LIMITS = { depth: 1000, fields: 50_000, values: 150_000 };
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses `application/json`, the media provider's `application/webhook+json`, and `text/csv` where an operation takes
 * it; everything else is a 415.
 */
export function registerBodies(app: FastifyInstance, turns: Turns): void {
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
  registerCsvBody(app, parser);
}

function parseBody(request: FastifyRequest, text: string): unknown {
  const { decimals, rawBody } = request.routeOptions.config;
  const scan = scanWithin(text, decimals ?? [], BODY_LIMITS);
  if (rawBody) return text;
  return text.trim() === '' ? undefined : parseJson(text, scan);
}

/** Parses JSON of any size as a body is; numbers of the fields named keep their digits. Throws `InvalidRequest`. */
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
 * Parses JSON text; the numbers that were found in it become decimal strings. Throws `InvalidRequest` with the offset
 * of the first mistake, or for keys that would reach a prototype.
 */
function parseJson(text: string, { mistake, numbers }: Scan): unknown {
  if (mistake !== null) throw invalidJson(mistake, 'Input should be valid JSON');
  try {
    return secureJsonParse.parse(quoteNumbers(text, numbers));
  } catch {
    throw invalidJson(0, 'Input should not have the keys __proto__ or constructor.prototype');
  }
}

// A double has 15 to 17 digits; the literal's own text has them all. An infinite one stays a number, for validation to
// refuse.
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
