/** A real store that speaks S3, behind a proxy that breaks its promises. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Store } from '@switchboard/testkit/s3.ts';

/** A status, or what becomes of a request. */
type Act = number | 'stall' | 'drop' | 'forget' | 'fewer' | 'lie' | 'cut' | 'other';

/** Its answers to requests, by their method; all others pass. */
export const FAULTS = {
  'does not answer': { PUT: 'stall' },
  'refuses (403)': { PUT: 403 },
  'is full (507)': { PUT: 507 },
  'is overloaded (503)': { PUT: 503, GET: 503 },
  'loses the connection while it takes a segment': { PUT: 'drop' },
  'stores a segment, and loses the connection before it says so': { PUT: 'forget' },
  'says that it has fewer bytes': { HEAD: 'fewer' },
  'says that it has stored what it has not': { PUT: 'lie' },
  'loses the connection while it is read': { GET: 'cut' },
  'returns other bytes': { GET: 'other' },
  'does not answer when it is read': { GET: 'stall' },
} as const satisfies Record<string, Partial<Record<string, Act>>>;
export type Fault = keyof typeof FAULTS;

/** The proxy; `set` changes what it does, null is nothing. */
export async function startFaultyStore(store: S3Store) {
  const { port } = new URL(store.settings.endpoint);
  let fault: Fault | null = null;
  const server = http.createServer(async (request, response) => {
    const acts: Partial<Record<string, Act>> = fault === null ? {} : FAULTS[fault];
    const act = acts[request.method ?? ''];
    if (act === 'drop') return request.once('data', () => request.destroy());
    const body = Buffer.concat(await request.toArray());
    if (act === 'stall') return;
    if (typeof act === 'number') return response.writeHead(act).end();
    if (act === 'lie') return response.writeHead(200).end();
    const { statusCode = 502, headers, bytes } = await ask(port, request, body);
    if (act === 'forget') return request.destroy();
    if (act === 'fewer') return response.writeHead(statusCode, { ...headers, 'content-length': '3' }).end();
    if (act === 'other') bytes.reverse();
    response.writeHead(statusCode, headers);
    if (act !== 'cut') return response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => request.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (next: Fault | null): void => {
      fault = next;
      // A request that still waits would wait for ever.
      if (next === null) server.closeAllConnections();
    },
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Answer {
  statusCode: number | undefined;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
}

/** The same request to the store, with the same headers, of which some are signed. */
async function ask(port: string, { method, url, headers }: http.IncomingMessage, body: Buffer): Promise<Answer> {
  const sent = http.request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [http.IncomingMessage];
  const bytes = Buffer.concat(await answer.toArray());
  return { statusCode: answer.statusCode, headers: answer.headers, bytes };
}
