import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createConnections } from '../../src/http/connections.ts';
import { createLoopTurns } from '../../src/lib/turns.ts';

test('a connection whose response began before the server closes is closed after it, without another request', async () => {
  const bounds = { total: 1000, perAddress: 1000, answerTimeoutMs: 60_000, isTrustedProxy: () => false };
  const connections = createConnections(bounds, createLoopTurns());
  let finish = () => {};
  const server = connections.createServer(
    (_request, response) => {
      response.writeHead(200, { 'content-length': '4' }).write('ab');
      finish = () => response.end('cd');
    },
    { keepAliveTimeout: 60_000 },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(() => server.close());
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'data');
  connections.close();
  finish();
  await once(socket.resume(), 'end');
});
