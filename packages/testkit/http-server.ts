import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server on a free port of the loopback interface. */
export interface HttpServer {
  url: string;
  /** Closes it with all of its connections. */
  close(): Promise<void>;
}

export async function serveHttp(handler: RequestListener): Promise<HttpServer> {
  const server = createServer(handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
