import type { ErrorCode, ValidationError } from './generated/schema.ts';

/** A code of the service, or one of the client's own. */
export type SwitchboardErrorCode =
  | ErrorCode
  /** 422: `problems` has all of them. */
  | 'invalid_request'
  /** An answer that is not of Switchboard: of a proxy, or of something else at this address. */
  | 'unexpected_response'
  /** There was no answer, or it broke off. Whether the request was carried out is unknown. */
  | 'network_error'
  /** There was no answer in `timeoutMs`. Whether the request was carried out is unknown. */
  | 'timeout';

interface Details {
  detail?: string;
  status?: number;
  problems?: ValidationError[];
  requestId?: string | null;
  retryAfterMs?: number | null;
  body?: unknown;
  cause?: unknown;
}

/** The failure of a request, by `code`. */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly code: SwitchboardErrorCode;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** The service's words: the message without the request. */
  readonly detail: string;
  /** The problems of an invalid request (422), each with its place; empty otherwise. */
  readonly problems: ValidationError[];
  /** The request in the service's log. */
  readonly requestId: string | null;
  /** The pause that the service asks for. */
  readonly retryAfterMs: number | null;
  /** The answer's body: JSON, or text where it is none. */
  readonly body: unknown;

  constructor(code: SwitchboardErrorCode, message: string, details: Details = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.detail = details.detail ?? message;
    this.status = details.status ?? null;
    this.problems = details.problems ?? [];
    this.requestId = details.requestId ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.body = details.body;
  }
}

/** The error of an answer that is no success. */
export async function errorOf({ method, url }: Request, response: Response): Promise<SwitchboardError> {
  const body = parse(await response.text());
  const { code, text, problems } = readBody(body);
  const where = `${method} ${new URL(url).pathname}`;
  return new SwitchboardError(code, `${where}: ${response.status} ${code}: ${text}`, {
    detail: text,
    status: response.status,
    problems,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterOf(response),
    body,
  });
}

function readBody(body: unknown): { code: SwitchboardErrorCode; text: string; problems: ValidationError[] } {
  const { detail, code } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (Array.isArray(detail)) {
    const problems = detail as ValidationError[];
    const text = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
    return { code: 'invalid_request', text, problems };
  }
  // A code that this version does not know is passed on: what is compared with it is text.
  if (typeof code === 'string' && typeof detail === 'string')
    return { code: code as ErrorCode, text: detail, problems: [] };
  const text = typeof body === 'string' ? body.slice(0, 200) : JSON.stringify(body);
  return { code: 'unexpected_response', text: text || 'no body', problems: [] };
}

/** Milliseconds of a `Retry-After`, which is in seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterOf({ headers }: Pick<Response, 'headers'>, now = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
