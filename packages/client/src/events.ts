import { SwitchboardError } from './errors.ts';
import { readEvents } from './event-stream.ts';
import { isPassing, LONGEST_RETRY_AFTER_MS, pauseMs, sleep } from './retry.ts';
import { streamText } from './stream-text.ts';

/** Consecutive attempts without an event: about five minutes. */
const MAX_ATTEMPTS = 40;

interface Options<Id> {
  /** Resumes after this event; without it the service chooses where the stream begins. */
  lastEventId?: Id | undefined;
  readId(text: string): Id;
  signal?: AbortSignal | undefined;
  /** Sends the request for a stream. */
  send: (request: Request) => Promise<Response>;
}

/**
 * Yields events until there will be no more. A broken stream is resumed after the last event, so that none is lost or
 * repeated. Throws `SwitchboardError` when the service refuses, or is unreachable for minutes.
 */
export async function* followEvents<Id extends number | string, Event>(
  url: string,
  { lastEventId, readId, signal, send }: Options<Id>,
): AsyncGenerator<Event, void, undefined> {
  let sent = lastEventId;
  let retryMs = 1_000;
  let retryAfterMs: number | null = null;
  for (let failures = 0; ; failures++) {
    try {
      const stream = await open(url, sent, signal, send);
      if (!stream) return;
      retryAfterMs = null;
      for await (const { id, event, data, retryMs: wanted } of readEvents(stream)) {
        if (wanted !== undefined) retryMs = wanted;
        if (id === undefined) continue;
        // An id without data stands for a deleted event, or one of another user.
        sent = readId(id);
        failures = 0;
        if (data !== undefined) yield { id: sent, event, data: JSON.parse(data) } as Event;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof SwitchboardError) || !isPassing(error) || failures >= MAX_ATTEMPTS) throw error;
      retryAfterMs = error.retryAfterMs;
      if ((retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS) throw error;
    }
    // Also after a stream that had events: those who listened must not all return at the same moment.
    await sleep(pauseMs(failures, retryMs, retryAfterMs), signal);
  }
}

/** The text of the stream after an event; null when there will be no more. */
async function open(
  url: string,
  after: number | string | undefined,
  signal: AbortSignal | undefined,
  send: Options<never>['send'],
) {
  const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': String(after) }) };
  const response = await send(new Request(url, { headers, cache: 'no-store', ...(signal && { signal }) }));
  if (response.status === 204) return null;
  return streamText(response, `GET ${url.split('?')[0]}`);
}
