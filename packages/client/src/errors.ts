import type { ErrorCode, ValidationError } from './generated/schema.ts';

/** An error code of the service, or one of the client's own. */
export type SwitchboardErrorCode =
  | ErrorCode
  /** 422: `problems` lists all of them. */
  | 'invalid_request'
  /** The response is not from Switchboard, but from a proxy or another server. */
  | 'unexpected_response'
  /** There was no response, or it was cut off. Whether the request was processed is unknown. */
  | 'network_error'
  /** There was no response within `timeoutMs`. Whether the request was processed is unknown. */
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

/** A failed request; `code` tells why. */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError';
  readonly code: SwitchboardErrorCode;
  /** The response's status; null without a response. */
  readonly status: number | null;
  /** The service's message, without the request. */
  readonly detail: string;
  /** The problems of an invalid request (422), each with its location; empty otherwise. */
  readonly problems: ValidationError[];
  /** The id of the request in the service's log. */
  readonly requestId: string | null;
  /** The delay that the service asks for. */
  readonly retryAfterMs: number | null;
  /** The response body: JSON, or text if it is not JSON. */
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

/** The function of the API key has failed, or had no key in time: nothing was sent. */
export class NoKey extends Error {
  readonly code = 'NO_KEY';

  constructor(cause: unknown) {
    super('the apiKey function failed, or took too long', { cause });
  }
}

/** The error of an unsuccessful response. */
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
  // Codes unknown to this version are passed on as text.
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
