import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { Outbox } from '@switchboard/client/outbox';
import type { Metrics } from './metrics.ts';

/** Shorter than the timeout of probes. */
const TIMEOUT_MS = 2_000;

/** Local port for the library's status pages, which cannot be extended. */
export async function findPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const askLibrary = (port: number, route: string) =>
  fetch(`http://127.0.0.1:${port}${route}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Whether the media server knows this worker, and gives it calls. */
export async function isRegistered(libraryPort: number): Promise<boolean> {
  const root = await askLibrary(libraryPort, '/').catch(() => null);
  return root?.ok ?? false;
}

/**
 * Serves the library's pages, which are on this port, adds the outbox counts to `/worker`, and exports `/metrics`.
 * Rejects if it cannot listen on the address.
 */
export async function serveHealth(
  { host, port }: { host: string; port: number },
  libraryPort: number,
  outbox: Pick<Outbox, 'counts' | 'oldest'>,
  metrics: Metrics,
): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request.url ?? '', response).catch((error: unknown) => {
      response.writeHead(503).end(error instanceof Error ? error.message : String(error));
    });
  });

  const ask = (route: string) => askLibrary(libraryPort, route);

  async function sendMetrics(response: ServerResponse): Promise<void> {
    const [root, worker, counts, oldest] = await Promise.all([
      ask('/'),
      ask('/worker'),
      outbox.counts(),
      outbox.oldest(),
    ]);
    const { active_jobs } = (await worker.json()) as { active_jobs: number };
    const oldestReportMs = oldest === null ? 0 : Math.max(0, Date.now() - oldest);
    const text = await metrics.render({ calls: active_jobs, isRegistered: root.ok, outbox: counts, oldestReportMs });
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
  }

  async function answer(route: string, response: ServerResponse): Promise<void> {
    if (route === '/metrics') return sendMetrics(response);
    if (route !== '/' && route !== '/worker') return void response.writeHead(404).end('not found');
    const page = await ask(route);
    const text = await page.text();
    if (route === '/') return void response.writeHead(page.status).end(text);
    const body = JSON.stringify({ ...JSON.parse(text), outbox: await outbox.counts() });
    response.writeHead(page.status, { 'content-type': 'application/json' }).end(body);
  }

  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
