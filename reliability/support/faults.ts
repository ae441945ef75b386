import { assertPublished } from '@switchboard/testkit/published.ts';
import type { Document, Operation } from './operations.ts';
import type { RawAnswer } from './raw.ts';

/** The result for a connection that closed, or broke, without a response. */
export function closedWith(error?: Error): RawAnswer {
  return { status: 0, headers: {}, text: error?.message ?? '' };
}

/** The kind of a response, for counting. */
export function kindOf({ status }: RawAnswer): string {
  return status === 0 ? 'closed' : `${Math.floor(status / 100)}xx`;
}

/**
 * The problem with a response to arbitrary input, if there is one: a 5xx, or not the published format. The
 * input may match no operation: null.
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
