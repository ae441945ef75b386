import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, afterEach } from 'node:test';
import { createConnections } from '../../src/http/connections.ts';
import { createLoopTurns } from '../../src/lib/turns.ts';

/** A server with bounds on its connections, in front of `handler`; gives its port. */
export async function listen(handler: RequestListener, limits = {}, turns = createLoopTurns()) {
  const bounds = { total: 1000, perAddress: 1000, answerTimeoutMs: 60_000, isTrustedProxy: () => false, ...limits };
  const server = createConnections(bounds, turns).createServer(handler, {});
  server.on('connection', (socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const opened: net.Socket[] = [];
/** The other ends of connections to `listen`. */
export const accepted: net.Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  accepted.length = 0;
});

export function connect(port: number, host = '127.0.0.1'): net.Socket {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: host, allowHalfOpen: true });
  opened.push(socket);
  return socket.on('error', () => {});
}

/** Text received over the connection until `isEnough`. */
export async function readUntil(socket: net.Socket, isEnough: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    if (isEnough(text)) break;
  }
  return text;
}
