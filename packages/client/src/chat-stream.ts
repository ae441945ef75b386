import { SwitchboardError } from './errors.ts';
import { readEvents } from './event-stream.ts';
import type { ChatAnswer, ChatMessageCreate, FailedOver } from './generated/schema.ts';
import { streamText } from './stream-text.ts';

/** A part of the answer to a message of a chat. After `restarted`, what came before is not part of it. */
export type ChatEvent =
  | { event: 'sent'; data: { chat_id: string; message_id: string } }
  | { event: 'words'; data: { text: string } }
  | { event: 'tool_call'; data: { call_id: string; name: string; arguments: Record<string, unknown> } }
  | { event: 'tool_result'; data: { call_id: string; result: string; is_error?: boolean } }
  | { event: 'failed_over'; data: FailedOver }
  | { event: 'usage'; data: { model: string; input_tokens: number; output_tokens: number } }
  | { event: 'restarted'; data: Record<string, never> }
  | { event: 'message'; data: ChatAnswer }
  | { event: 'failed'; data: { code: string; detail: string } };

interface Options {
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  send: (request: Request) => Promise<Response>;
}

/** Sends a message, and yields the answer while it comes. Throws `SwitchboardError`. */
export async function* streamAnswer(
  url: string,
  body: ChatMessageCreate,
  { idempotencyKey, signal, send }: Options,
): AsyncGenerator<ChatEvent, void, undefined> {
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  };
  const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) };
  const response = await send(new Request(url, init));
  try {
    for await (const { event, data } of readEvents(streamText(response, `POST ${url}`))) {
      if (data === undefined) continue;
      yield { event, data: JSON.parse(data) } as ChatEvent;
      // How the connection ends says nothing about an answer that is complete.
      if (event === 'message' || event === 'failed') return;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  throw new SwitchboardError('network_error', `POST ${url}: the stream broke off`);
}
