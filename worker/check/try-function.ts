import type { FunctionCheckResult, FunctionCheckTask } from '@switchboard/client';
import { type FunctionRequest, shownHeaders } from '@switchboard/client/functions';
import { NotPublicError } from '@switchboard/guard';
import {
  type FunctionSettings,
  LateAnswer,
  LongAnswer,
  MissingSecret,
  prepareFunction,
  resultOf,
} from '../conversation/functions.ts';

type Tried = Omit<FunctionCheckResult, 'worker'>;

const MAX_BODY = 16_384;
const MAX_HEADER = 1_024;
const MAX_HEADERS = 50;
const MAX_DETAIL = 500;
/** Codes of connections that were not made. */
const UNREACHED = /ECONN|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT|CERT|SSL|TLS/;

/** Calls a function by the code of calls, and says what was sent and what came back; never throws. */
export async function tryFunction(
  { function: config, arguments: args, ...caller }: FunctionCheckTask,
  settings: FunctionSettings,
  stopping?: AbortSignal,
): Promise<Tried> {
  const tried: Pick<Tried, 'request' | 'response' | 'latency_ms'> = { request: null, response: null, latency_ms: null };
  try {
    const prepared = prepareFunction(config, { session_id: null, ...caller }, settings);
    const request = prepared.request(args);
    tried.request = shown(request);
    const begun = performance.now();
    const answer = await prepared.send(request, stopping);
    tried.latency_ms = Math.round(performance.now() - begun);
    const { status, headers, body } = answer;
    tried.response = { status, headers: headersOf(headers), body: cut(body, MAX_BODY), is_cut: body.length > MAX_BODY };
    resultOf(answer);
    return { outcome: 'ok', reason: null, detail: null, ...tried };
  } catch (error) {
    const detail = stopping?.aborted ? 'The worker stops.' : (error as Error).message;
    const reason = stopping?.aborted ? 'error' : reasonOf(error as Error, tried);
    return { outcome: 'failed', reason, detail: cut(detail, MAX_DETAIL), ...tried };
  }
}

function reasonOf(error: Error, { request, response }: Pick<Tried, 'request' | 'response'>): Tried['reason'] {
  if (error instanceof MissingSecret) return 'no_secret';
  if (request === null) return 'wrong_config';
  if (response !== null) return 'status';
  if (error instanceof NotPublicError) return 'not_public';
  if (error instanceof LateAnswer) return 'timeout';
  if (error instanceof LongAnswer) return 'too_long';
  return UNREACHED.test((error as NodeJS.ErrnoException).code ?? '') ? 'unreachable' : 'error';
}

const shown = ({ method, url, headers, body }: FunctionRequest) => ({
  method,
  url,
  headers: headersOf(headers),
  body: cut(body, MAX_BODY),
});

const headersOf = (headers: Parameters<typeof shownHeaders>[0]) =>
  shownHeaders(headers)
    .slice(0, MAX_HEADERS)
    .map(({ name, value }) => ({ name: cut(name, MAX_HEADER), value: cut(value, MAX_HEADER) }));

/** Text as the service stores it. */
const cut = (text: string, length: number) => text.slice(0, length).replaceAll('\0', '').toWellFormed();
