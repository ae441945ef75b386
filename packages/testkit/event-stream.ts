import http, { type IncomingMessage } from 'node:http';
import { within } from './within.ts';

export interface StreamEvent {
  id: number;
  /** The id as it was sent. */
  position: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads has no type.
  data: any;
}

const LONGEST_MS = 60_000;

/**
 * Follows a stream of server-sent events like a browser: only complete events count. With the header `paused` nothing
 * is read before `read()`.
 */
export async function listen(url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    http.get(url, { headers, agent: false }, resolve).on('error', reject);
  });
  const events: StreamEvent[] = [];
  const changed: (() => void)[] = [];
  let lastId = '';
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      resolve();
      for (const notify of changed.splice(0)) notify();
    });
  });
  response.on('error', () => {});
  const parse = createParser();
  const take = (chunk: string) => {
    for (const { id, event, data } of parse(chunk)) {
      if (id !== undefined) lastId = id;
      if (data !== undefined) events.push({ id: Number(id), position: id ?? '', event, data: JSON.parse(data) });
    }
    for (const notify of changed.splice(0)) notify();
  };
  const read = () => response.setEncoding('utf8').on('data', take);
  if (headers.paused === undefined) read();
  return {
    status: response.statusCode,
    headers: response.headers,
    events,
    read,
    /** Resolves when the stream has ended; fails after a minute. */
    get ended() {
      return within(ended, `the end of ${url}`);
    },
    lastId: () => lastId,
    /** The events, once there are enough of them or the stream has ended; fails after a minute. */
    until: async (isEnough: (events: StreamEvent[]) => boolean) => {
      const deadline = performance.now() + LONGEST_MS;
      while (!isEnough(events) && !response.closed) {
        const more = new Promise<void>((resolve) => changed.push(resolve));
        await within(more, `more than ${events.length} events of ${url}`, deadline - performance.now());
      }
      return events;
    },
    leave: () => response.destroy(),
  };
}

/** Reads text as it comes, and gives the fields of each block that is complete. */
function createParser() {
  let text = '';
  return (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    return blocks.map((block) =>
      Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))),
    );
  };
}
