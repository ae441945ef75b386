import type { Switchboard } from '../client.ts';
import { SwitchboardError } from '../errors.ts';
import type {
  CallOutcome,
  FailedOverCreate,
  RecordingReport,
  SegmentCreate,
  TranscriptCreate,
  TurnsCreate,
  UsageBatchCreate,
  UsageEventCreate,
} from '../generated/schema.ts';
import type { RequestOptions } from '../options.ts';
import type { Item } from './files.ts';

/**
 * The result of an attempt: the service has the item (`delivered`), will never accept it (`refused`), has another
 * body under its key (`key_used`), declined to process it (`declined`), or was unable to (`failed`).
 */
export interface Outcome {
  kind: 'delivered' | 'refused' | 'key_used' | 'declined' | 'failed';
  why: string;
  /** How much it speaks against the item, see `SUSPECTED`; 0 if every item would have failed. */
  points: number;
  retryAfterMs: number;
  /** Whether the service may have processed it. */
  hasArrived: boolean;
}

/** An item with more points is suspected: after the third failure of the service, or the thirtieth of a proxy. */
export const SUSPECTED = 30;

const LONGEST_RETRY_AFTER_MS = 10 * 60_000;
/** Refusals of the item itself, which a retry does not change. */
const FINAL_CODES = new Set(['invalid_request', 'not_found', 'session_ended', 'bad_request', 'body_too_large']);
/** Refusals before any processing. A wrong key has to be replaced by a person; the item keeps. */
const REFUSED_STATUSES = new Set([401, 403, 404, 429]);
/** Failures that affect every item: the key, the network, the service; 409 is an earlier attempt in progress. */
const PASSING_STATUSES = new Set([401, 408, 409, 429, 502, 503, 504]);
/** No connection was established, so nothing has arrived. */
const UNREACHED = /^(NO_KEY|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

interface Operation {
  send(sb: Switchboard, item: Item, options: RequestOptions): Promise<unknown>;
  /** A field of the service's answer, which that of a proxy does not have. */
  answer: string;
}

/** Requests that a repetition does not repeat the effect of by themselves, without a key. */
const OPERATIONS: Record<string, Operation> = {
  reportTurns: {
    send: (sb, { args, body }, options) => sb.sessions.reportTurns(args[0] ?? '', body as TurnsCreate, options),
    answer: 'added',
  },
  reportFailedOver: {
    send: (sb, { args, body }, options) =>
      sb.sessions.reportFailedOver(args[0] ?? '', body as FailedOverCreate, options),
    answer: 'added',
  },
  reportCallOutcome: {
    send: (sb, { args, body }, options) => sb.calls.reportOutcome(args[0] ?? '', body as CallOutcome, options),
    answer: 'call_id',
  },
  reportRecording: {
    send: (sb, { args, body }, options) =>
      sb.recordings.report(args[0] ?? '', args[1] ?? '', body as RecordingReport, options),
    answer: 'recording_id',
  },
  addRecordingSegment: {
    send: (sb, { args, body }, options) =>
      sb.recordings.addSegment(args[0] ?? '', args[1] ?? '', body as SegmentCreate, options),
    answer: 'added',
  },
  endSessionByRoom: {
    send: (sb, { args }, options) => sb.sessions.endByRoom(args[0] ?? '', options),
    answer: 'room_name',
  },
};
const KEYED_OPERATIONS: typeof OPERATIONS = {
  logUsageEvents: {
    send: (sb, { body }, options) => sb.usage.logBatch(body as UsageBatchCreate, options),
    answer: 'events',
  },
  // Reports written by an earlier version.
  logUsageEvent: {
    send: (sb, { body }, options) => sb.usage.log(body as UsageEventCreate, options),
    answer: 'session_id',
  },
  addTranscript: {
    send: (sb, { args, body }, options) => sb.sessions.addTranscript(args[0] ?? '', body as TranscriptCreate, options),
    answer: 'session_id',
  },
};

/** Whether a repetition is recognized by its key, which the service keeps for a day only. */
export function isKeyed({ operation }: Item): boolean {
  return operation in KEYED_OPERATIONS;
}

/** The outcome of an item that was not sent. */
export const STOPPED: Outcome = {
  kind: 'failed',
  why: 'the delivery was stopped',
  points: 0,
  retryAfterMs: 0,
  hasArrived: false,
};

/** Sends an item once. */
export async function sendItem(sb: Switchboard, item: Item, key: string, signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { kind: 'delivered', why: '', points: 0, retryAfterMs: 0, hasArrived: true };
  const operation = OPERATIONS[item.operation] ?? KEYED_OPERATIONS[item.operation];
  if (!operation) return { ...outcome, kind: 'refused', why: `unknown operation ${item.operation}` };
  if (signal.aborted) return STOPPED;
  let answer: Promise<unknown>;
  try {
    answer = operation.send(sb, item, { signal, maxRetries: 0, ...(isKeyed(item) && { idempotencyKey: key }) });
  } catch (error) {
    // Thrown before anything is sent, because an id of the item cannot stand in a path.
    return { ...outcome, kind: 'refused', why: messageOf(error) };
  }
  try {
    if (isAnswer(operation, item, await answer)) return outcome;
    throw new SwitchboardError('unexpected_response', 'the answer is not that of the service');
  } catch (error) {
    if (error instanceof SwitchboardError) return outcomeOf(error);
    return { ...outcome, kind: 'failed', why: messageOf(error) };
  }
}

/** Whether the service has answered: a proxy may say 200 in its place, and the item would be lost. */
function isAnswer({ answer: field }: Operation, { body }: Item, answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !(field in answer)) return false;
  const countOf = (one: unknown) => (one as Partial<UsageBatchCreate>).events?.length;
  return field !== 'events' || countOf(answer) === countOf(body);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Classifies a failure. */
function outcomeOf(error: SwitchboardError): Outcome {
  const { code, status, problems, message: why } = error;
  // The response of a proxy, which may stand for one of the service.
  const isForeign = code === 'unexpected_response';
  const isRefused = FINAL_CODES.has(code) || (status !== null && !isForeign && REFUSED_STATUSES.has(status));
  const hasArrived = status === null ? !UNREACHED.test(systemCode(error)) : !isRefused;
  const retryAfterMs = Math.min(error.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS);
  const outcome = { why, points: 0, retryAfterMs, hasArrived };
  if (problems.some(({ loc }) => loc[0] === 'header' && loc[1] === 'idempotency-key'))
    return { ...outcome, kind: 'key_used', hasArrived: true };
  if (FINAL_CODES.has(code)) return { ...outcome, kind: 'refused' };
  const isDeclined = status === 413 || (status !== null && status < 500 && !isForeign);
  return { ...outcome, kind: isDeclined ? 'declined' : 'failed', points: pointsOf(status, isForeign, hasArrived) };
}

/** A foreign response, or a broken connection, says little about the item: unless it persists, as with a firewall. */
function pointsOf(status: number | null, isForeign: boolean, hasArrived: boolean): number {
  if (status === null) return hasArrived ? 1 : 0;
  if (PASSING_STATUSES.has(status) || (status > 500 && !isForeign)) return 0;
  // This size is not accepted, and a batch can be split at once.
  if (status === 413) return SUSPECTED + 1;
  return isForeign ? 1 : 10;
}

/** The system error code below `fetch`'s error. */
function systemCode(error: Error): string {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return '';
}
