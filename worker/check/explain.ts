import { APIConnectionError, APITimeoutError } from '@livekit/agents';
import type { ProviderCheckResult } from '@switchboard/client';
import { MissingKey, type ModelSettings } from '../conversation/models.ts';

type Failure = Pick<ProviderCheckResult, 'reason' | 'detail'>;

interface Failed {
  error: unknown;
  /** Whether there is a model, which has failed. */
  isCreated: boolean;
  /** The status with which a request was refused, if any. */
  status: number | null;
}

const MAX_DETAIL = 500;
const UNREACHED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ECONNRESET|certificate|fetch failed|^\s*connection error/i;

/** The reason of a failed check, and what was said about it, without keys. */
export function explain(failed: Failed, settings: ModelSettings): Failure {
  return { reason: reasonOf(failed), detail: textOf(failed.error, settings) };
}

function reasonOf({ error, isCreated, status: refusal }: Failed): Failure['reason'] {
  if (error instanceof MissingKey) return 'no_key';
  if (!isCreated) return 'wrong_config';
  const said = wordsOf(error);
  const status = statusOf(error, said) ?? refusal;
  // Google answers a wrong key with a 400.
  if (status === 401 || status === 403 || /api.?key not valid|invalid.api.?key|not authorized/i.test(said))
    return 'refused_key';
  if (
    status === 404 ||
    (status !== null && status >= 400 && status < 500 && /(?<![a-z])(model|voice)(?![a-z])/i.test(said))
  )
    return 'unknown_model';
  if (status === 408 || status === 504) return 'timeout';
  if (status !== null) return 'error';
  if (UNREACHED.test(said)) return 'unreachable';
  if (error instanceof APITimeoutError || /time[d]?.?out|aborted due to timeout/i.test(said)) return 'timeout';
  return error instanceof APIConnectionError ? 'unreachable' : 'error';
}

/** Some plugins pass the error of their SDK on, and those with sockets put the status into the message. */
function statusOf(error: unknown, said: string): number | null {
  const { statusCode, status } = (error ?? {}) as { statusCode?: unknown; status?: unknown };
  const given = [statusCode, status].find((one) => typeof one === 'number' && one >= 400 && one < 600);
  const [, named] = /(?:unexpected server response|status(?: code)?|"code")[:\s]*([45]\d{2})\b/i.exec(said) ?? [];
  return (given as number | undefined) ?? (named === undefined ? null : Number(named));
}

/** The messages of an error and of its causes. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let one = error; one !== undefined && one !== null && words.length < 5; one = (one as Error).cause)
    words.push(one instanceof Error ? `${(one as NodeJS.ErrnoException).code ?? ''} ${one.message}` : String(one));
  return words.join(' ').trim();
}

function textOf(error: unknown, { keys, baseUrls }: ModelSettings): string {
  let text = wordsOf(error).replaceAll('\0', '');
  for (const key of [...Object.values(keys), ...baseUrls.values()]) if (key) text = text.replaceAll(key, '…');
  return text.slice(0, MAX_DETAIL).toWellFormed() || 'unknown';
}
