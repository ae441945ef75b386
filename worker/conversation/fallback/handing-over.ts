import { APIConnectionError, APIError, APIStatusError, type llm } from '@livekit/agents';

const LIMITED = /rate_limit|quota|RESOURCE_EXHAUSTED/i;

/** Instructions for the rest of an answer, which was begun by `asked`. */
export const goOn = (said: string, asked = '') =>
  `You were cut off by a technical fault while you were speaking. You have said: ${JSON.stringify(said)}. Continue exactly where that stops. Do not repeat any of it, do not apologize, and do not mention this.${asked && ` You had been told: ${asked}`}`;

/** Adds what was said of an answer to a conversation. */
export function addSaid(context: llm.ChatContext, said: string): void {
  const last = context.items.at(-1);
  if (last?.type === 'message' && last.role === 'assistant' && said.startsWith(last.textContent ?? ''))
    context.items.pop();
  context.addMessage({ role: 'assistant', content: said });
}

/** A failure whose words say that there is too much to do, as such. */
export function withStatus(error: unknown): unknown {
  if (error instanceof APIStatusError && error.statusCode === 429) return error;
  const body = error instanceof APIError ? JSON.stringify(error.body) : '';
  const message = error instanceof Error ? error.message : String(error);
  if (LIMITED.test(`${body} ${message}`)) return new APIStatusError({ message, options: { statusCode: 429 } });
  return error instanceof Error ? error : new APIConnectionError({ message });
}

/** The event with which a session says that it has failed for good. */
export function errorEvent(cause: unknown): llm.RealtimeModelError {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return { type: 'realtime_model_error', timestamp: Date.now(), label: '', error, recoverable: false };
}
