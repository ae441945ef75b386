import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ParseError, parseTree } from 'jsonc-parser';
import secureJsonParse from 'secure-json-parse';
import { plainDecimal } from '../lib/decimal.ts';
import { AppError, InvalidRequest } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Fields of the body whose JSON numbers keep the digits they were sent with: they are parsed to decimal strings. */
    decimals?: readonly string[];
    /** The body is handed over as the text that was sent, for a signature to be checked over it. */
    rawBody?: boolean;
  }
}

const MAX_BODY_BYTES = 1024 * 1024;
/** The `bodyLimit`, in bytes, of operations that take some short fields and are none of the 17, which take 1 MiB each. */
export const SMALL_BODY = 64 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses `application/json` and the media provider's `application/webhook+json`; everything else is a 415. */
export function registerJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/webhook+json'],
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.headers['content-encoding']) throw new AppError('unsupported_media_type');
      const { decimals, rawBody } = request.routeOptions.config;
      const text = decode(body);
      if (rawBody) return text;
      return text.trim() === '' ? undefined : parseJson(text, decimals);
    },
  );
}

/** Parses JSON text. Throws `InvalidRequest` with the offset of the first mistake, or for keys that would reach a prototype. */
function parseJson(text: string, decimals: readonly string[] = []): unknown {
  try {
    return secureJsonParse.parse(text, decimals.length > 0 ? keepDigits(decimals) : null);
  } catch (error) {
    if (error instanceof RangeError) throw invalidJson(0, 'Input is nested too deeply');
    const offset = firstMistake(text);
    if (offset === null) throw invalidJson(0, 'Input should not have the keys __proto__ or constructor.prototype');
    throw invalidJson(offset, 'Input should be valid JSON');
  }
}

// A double has 15 to 17 digits; the literal's own text has them all. An infinite one stays a number, for validation to refuse.
function keepDigits(decimals: readonly string[]) {
  return (key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && Number.isFinite(value) && decimals.includes(key) && context?.source !== undefined
      ? plainDecimal(context.source)
      : value;
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw invalidJson(0, 'Input should be UTF-8');
  }
}

// V8 does not tell the offset of every mistake.
function firstMistake(text: string): number | null {
  const mistakes: ParseError[] = [];
  try {
    parseTree(text, mistakes, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return text.length;
  }
  return mistakes[0]?.offset ?? null;
}

function invalidJson(offset: number, msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ['body', offset], msg, type: 'json_invalid' }]);
}
