import type { Switchboard } from '../client.ts';
import { SwitchboardError } from '../errors.ts';
import type {
  CallOutcome,
  TranscriptCreate,
  TurnsCreate,
  UsageBatchCreate,
  UsageEventCreate,
} from '../generated/schema.ts';
import type { RequestOptions } from '../options.ts';
import type { Item } from './files.ts';

/**
 * The result of an attempt. The service has the item (`delivered`), will never accept it (`refused`), or may accept
 * it later. `doubtful`: the cause may be the item, the service or the key; other items tell which. `unclear`: the
 * same for a foreign response or none at all. `key_used`: the service has another body under the item's key.
 */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'refused'; why: string }
  | { kind: 'key_used'; why: string }
  | Failure;

export interface Failure {
  kind: 'later' | 'doubtful' | 'unclear';
  why: string;
  /** The status of the response; null if there was none. */
  status: number | null;
  retryAfterMs: number;
  /** Whether the service may have processed it. */
  hasArrived: boolean;
}

/** Whether the service declined to process it, rather than being unable to. */
export function isRefusal({ kind, status }: Failure): boolean {
  return kind === 'doubtful' && status !== 500;
}

const LONGEST_RETRY_AFTER_MS = 10 * 60_000;
/** Refusals of the item itself, which a retry does not change. */
const FINAL_CODES = new Set(['invalid_request', 'not_found', 'session_ended', 'bad_request', 'body_too_large']);
/** Refusals before any processing. A wrong key has to be replaced by a person; the item keeps. */
const REFUSED_STATUSES = new Set([401, 403, 404, 429]);
/** Failures of the service, the network or the key, which affect every item; 409 is an earlier attempt in progress. */
const PASSING_STATUSES = new Set([401, 408, 409, 429]);
/** Responses of a proxy that cannot reach the service. */
const AWAY_STATUSES = new Set([502, 503, 504]);
/** No connection was established, so nothing has arrived. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

type SendItem = (sb: Switchboard, item: Item, options: RequestOptions) => Promise<unknown>;

/** Requests that an outbox can hold: idempotent ones, by a key or by nature. */
const OPERATIONS: Record<string, { takesKey: boolean; send: SendItem }> = {
  logUsageEvents: {
    takesKey: true,
    send: (sb, { body }, options) => sb.usage.logBatch(body as UsageBatchCreate, options),
  },
  // Reports written by an earlier version.
  logUsageEvent: { takesKey: true, send: (sb, { body }, options) => sb.usage.log(body as UsageEventCreate, options) },
  addTranscript: {
    takesKey: true,
    send: (sb, { args, body }, options) => sb.sessions.addTranscript(args[0] ?? '', body as TranscriptCreate, options),
  },
  reportTurns: {
    takesKey: false,
    send: (sb, { args, body }, options) => sb.sessions.reportTurns(args[0] ?? '', body as TurnsCreate, options),
  },
  reportCallOutcome: {
    takesKey: false,
    send: (sb, { args, body }, options) => sb.calls.reportOutcome(args[0] ?? '', body as CallOutcome, options),
  },
  endSessionByRoom: { takesKey: false, send: (sb, { args }, options) => sb.sessions.endByRoom(args[0] ?? '', options) },
};

/** Whether a repetition is recognized by its key, which the service keeps for a day only. */
export function isKeyed({ operation }: Item): boolean {
  return OPERATIONS[operation]?.takesKey ?? false;
}

/** Sends an item once. */
export async function sendItem(sb: Switchboard, item: Item, key: string, signal: AbortSignal): Promise<Outcome> {
  const operation = OPERATIONS[item.operation];
  if (!operation) return { kind: 'refused', why: `unknown operation ${item.operation}` };
  const options = { signal, maxRetries: 0, ...(operation.takesKey && { idempotencyKey: key }) };
  try {
    await operation.send(sb, item, options);
    return { kind: 'delivered' };
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'refused', why: error.message };
    return outcomeOf(error);
  }
}

/**
 * Classifies a failure. A response of a proxy says little about the item, unless it persists: a firewall may reject
 * this one. 413 says at once that this size is not accepted, and a batch can be split.
 */
function outcomeOf(error: unknown): Outcome {
  const why = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SwitchboardError))
    return { kind: 'later', why, status: null, retryAfterMs: 0, hasArrived: true };
  if (error.problems.some(({ loc }) => loc[0] === 'header' && loc[1] === 'idempotency-key'))
    return { kind: 'key_used', why };
  if (FINAL_CODES.has(error.code)) return { kind: 'refused', why };
  const { status } = error;
  // A foreign response may stand for one of the service.
  const isForeign = error.code === 'unexpected_response';
  const isRefused = status !== null && !isForeign && REFUSED_STATUSES.has(status);
  const hasArrived = status === null ? !UNREACHED.test(systemCode(error)) : !isRefused;
  const retryAfterMs = Math.min(error.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  const kind = isForeign || status === null ? kindOfForeign(status, hasArrived) : kindOf(status);
  return { kind, why, status, retryAfterMs, hasArrived };
}

/** A bug triggered by one item answers 500 too; other failures of the service have their own statuses. */
function kindOf(status: number): Failure['kind'] {
  return status === 500 || (status >= 400 && status < 500 && !PASSING_STATUSES.has(status)) ? 'doubtful' : 'later';
}

/** Classifies a foreign response, or none, by whether there was a connection. */
function kindOfForeign(status: number | null, hasArrived: boolean): Failure['kind'] {
  if (status === 413) return 'doubtful';
  const isPassing = status === null ? !hasArrived : PASSING_STATUSES.has(status) || AWAY_STATUSES.has(status);
  return isPassing ? 'later' : 'unclear';
}

/** The system error code below `fetch`'s error. */
function systemCode(error: Error): string {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return '';
}
