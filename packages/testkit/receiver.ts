import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { serveHttp } from './http-server.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Receives and keeps callbacks on a free port until the test file ends. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Bodies of the deliveries with each `webhook-id`. */
  bodies: Map<string, string[]>;
  /** Everything received at this path. */
  at(path: string): Received[];
  /** The status of the responses; tests may replace it. */
  answerWith(path: string): number;
  headersOf(path: string): Record<string, string>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const bodies = new Map<string, string[]>();
  const server = await serveHttp(async (request, response) => {
    const body = await text(request).catch(() => null);
    if (body === null) return; // Its sender was killed.
    const { url: path = '', headers } = request;
    received.push({ path, headers: headers as Record<string, string>, body });
    const id = String(headers['webhook-id']);
    bodies.set(id, [...(bodies.get(id) ?? []), body]);
    response.writeHead(receiver.answerWith(path), receiver.headersOf(path)).end('x');
  });
  const receiver: Receiver = {
    ...server,
    received,
    bodies,
    at: (path) => received.filter((one) => one.path === path),
    answerWith: () => 200,
    headersOf: () => ({ location: '/elsewhere' }),
  };
  after(server.close);
  return receiver;
}
