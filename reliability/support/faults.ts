import { assertPublished } from '@switchboard/testkit/published.ts';
import type { Document, Operation } from './operations.ts';
import type { RawAnswer } from './raw.ts';

/** The answer of a connection that was closed, or broke, without one. */
export function closedWith(error?: Error): RawAnswer {
  return { status: 0, headers: {}, text: error?.message ?? '' };
}

/** The kind of an answer in a count of them. */
export function kindOf({ status }: RawAnswer): string {
  return status === 0 ? 'closed' : `${Math.floor(status / 100)}xx`;
}

/**
 * The problem with an answer to any input, if there is one: a failure of the service, or not in the published form. An
 * input may miss every operation: null.
 */
export function faultOf(
  { status, headers, text }: RawAnswer,
  operation: Operation | null,
  document: Document,
): string[] {
  if (status === 0) return text ? [text] : [];
  if (status >= 500) return [`${status} ${text}`];
  if (status < 400 && operation === null) return [];
  if (!headers['content-type']?.startsWith('application/json'))
    return status < 400 ? [] : [`${status} is not JSON: ${text}`];
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text);
  } catch {
    return [`${status} is not JSON: ${text}`];
  }
  if (status >= 400 && !isRefusal(status, body)) return [`${status} ${text}`];
  if (operation === null) return [];
  try {
    assertPublished(document, operation.method, operation.template, { status, body });
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function isRefusal(status: number, { detail, code }: { detail?: unknown; code?: unknown }): boolean {
  return status === 422
    ? Array.isArray(detail) && detail.length > 0
    : typeof detail === 'string' && typeof code === 'string';
}
