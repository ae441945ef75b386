import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { RequestOptions, Service } from './service.ts';
import { eventually } from './service.ts';

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A receiver of callbacks on a free port, until the test file ends. */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = {
    base: '',
    received,
    at: (path: string) => received.filter((one) => one.path === path),
    answerWith: (_path: string): number => 200,
    headersOf: (_path: string): Record<string, string> => ({ location: '/elsewhere' }),
  };
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers as Record<string, string>, body });
      response.writeHead(receiver.answerWith(path), receiver.headersOf(path)).end('x');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  receiver.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

/** The callback to this URL once `ready` holds of it, as `GET /api/callbacks` shows it. */
export function callbackTo(
  service: Pick<Service, 'request'>,
  url: string,
  ready: (callback: { type: string; status: string; attempts: object[] }) => boolean,
  options: RequestOptions = {},
) {
  return eventually(
    async () => {
      const { body } = await service.request('GET', '/api/callbacks?limit=100', options);
      return body.items.find((item: { url: string }) => item.url === url);
    },
    (found) => found !== undefined && ready(found),
  );
}
