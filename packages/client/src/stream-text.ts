import { SwitchboardError } from './errors.ts';

/** The service sends a keep-alive every 15 s. */
const LONGEST_SILENCE_MS = 45_000;

/**
 * The text of a stream as it arrives; `what` names its request. Throws `unexpected_response` if it is none, and
 * `network_error` when the connection breaks or is silent for too long.
 */
export async function* streamText(response: Response, what: string): AsyncGenerator<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.body || !type.startsWith('text/event-stream')) {
    const details = { status: response.status };
    throw new SwitchboardError('unexpected_response', `${what}: no event stream, but ${type}`, details);
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    throw new SwitchboardError('network_error', `${what}: the stream broke off`, { cause });
  } finally {
    reader.cancel().catch(() => {});
  }
}

function inTime<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no sign of life')), LONGEST_SILENCE_MS);
  });
  return Promise.race([read, late]).finally(() => clearTimeout(timer));
}
