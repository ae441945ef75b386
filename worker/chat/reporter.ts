import { setTimeout as sleep } from 'node:timers/promises';
import type { FailedOver } from '@switchboard/client';

/** A `ChatTurnEvent` of the API description. */
export type ChatEvent =
  | { type: 'words'; text: string }
  | { type: 'tool_call'; call_id: string; name: string; arguments: Record<string, unknown> }
  | { type: 'tool_result'; call_id: string; result: string; is_error: boolean }
  | ({ type: 'failed_over' } & FailedOver)
  | { type: 'usage'; model: string; input_tokens: number; output_tokens: number };

/** The first event is sent at once. The service takes a thousand requests for a turn, so that others wait a little. */
const PAUSE_MS = 50;
/** Events that the service takes in one request. */
const MAX_EVENTS = 100;

/**
 * Sends events in order, one request at a time, with all that has come meanwhile. Once `send` fails nothing more is
 * sent: words after a gap would be wrong, and the whole answer follows with the result.
 */
export function createReporter(send: (events: ChatEvent[]) => Promise<unknown>, onError: (error: unknown) => void) {
  let waiting: ChatEvent[] = [];
  let sending: Promise<void> | null = null;
  let hasFailed = false;
  const ending = new AbortController();

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const events = waiting.splice(0, MAX_EVENTS);
      await send(events);
      await sleep(PAUSE_MS, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  return {
    report(event: ChatEvent): void {
      if (hasFailed) return;
      const last = waiting.at(-1);
      if (event.type === 'words' && last?.type === 'words') last.text += event.text;
      else waiting.push({ ...event });
      sending ??= sendAll()
        .catch((error: unknown) => {
          hasFailed = true;
          waiting = [];
          onError(error);
        })
        .finally(() => {
          sending = null;
        });
    },
    /** Resolves once everything is sent, or sending has failed. */
    async end(): Promise<void> {
      ending.abort();
      await sending;
    },
  };
}
