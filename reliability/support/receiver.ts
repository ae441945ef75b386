import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes callbacks, and keeps the body of each delivery under its `webhook-id`. */
export interface Receiver {
  url: string;
  bodies: Map<string, string[]>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const bodies = new Map<string, string[]>();
  const server = http.createServer(async (request, response) => {
    const chunks: string[] | null = await request
      .setEncoding('utf8')
      .toArray()
      .catch(() => null);
    if (chunks === null) return; // Its sender was killed.
    const body = chunks.join('');
    const id = String(request.headers['webhook-id']);
    bodies.set(id, [...(bodies.get(id) ?? []), body]);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, bodies },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
