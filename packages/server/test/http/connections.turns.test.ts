import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { createLoopTurns } from '../../src/lib/turns.ts';
import { accepted, connect, listen, readUntil } from '../support/connections.ts';

test('a connection’s data stays in the kernel until its turn', async () => {
  const waiting: (() => void)[] = [];
  const turns = { ...createLoopTurns(), arrive: (_address: string, next: () => void) => void waiting.push(next) };
  const port = await listen((_request, response) => response.end('served'), {}, turns);
  const socket = connect(port);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(
    async () => waiting.length,
    (count) => count === 1,
  );
  // Whatever arrives meanwhile would be read in these turns of the loop.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  assert.equal(accepted[0]?.bytesRead, 0);
  waiting[0]?.();
  assert.match(await readUntil(socket, (text) => text.includes('served')), /200 OK/);
});

test('a thousand readable connections are not all read in one turn of the event loop', async () => {
  const connections = 1000;
  const headers = Array.from({ length: 150 }, (_, index) => `x-${index}: ${'x'.repeat(50)}\r\n`).join('');
  const request = `GET / HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
  let served = 0;
  const port = await listen((_request, response) => {
    served++;
    response.end();
  });
  const sockets = Array.from({ length: connections }, () => connect(port).resume());
  const ask = async () => {
    const before = served;
    for (const socket of sockets) socket.write(request);
    await eventually(
      async () => served - before,
      (count) => count === connections,
    );
  };
  // Connections that have been served are read from then on.
  await ask();
  const read = () => accepted.reduce((bytes, socket) => bytes + socket.bytesRead, 0);
  const begun = read();
  let [last, maxInATurn] = [begun, 0];
  const look = (): void => {
    const now = read();
    maxInATurn = Math.max(maxInATurn, now - last);
    last = now;
    if (now - begun < connections * request.length) setImmediate(look);
  };
  setImmediate(look);
  await ask();
  assert.ok(maxInATurn < (connections / 2) * request.length, `${maxInATurn / request.length} in one turn`);
});

test('pipelined requests are answered when their connection is suspended in a flood', async () => {
  const connections = 400;
  const port = await listen((_request, response) => {
    const until = performance.now() + 0.1;
    while (performance.now() < until);
    setTimeout(() => response.end('served'), 30);
  });
  const answers = new Map(Array.from({ length: connections }, () => [connect(port), 0]));
  for (const socket of answers.keys()) {
    const count = (text: string) => answers.set(socket, (answers.get(socket) ?? 0) + text.split('served').length - 1);
    socket.setEncoding('latin1').on('data', count);
  }
  let sent = 0;
  const ask = async (requests: number) => {
    sent += requests;
    for (const socket of answers.keys()) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(requests));
    await eventually(
      async () => [...answers.values()].filter((count) => count < sent).length,
      (missing) => missing === 0,
    );
  };
  // Connections that have been served are read in whatever turn they have something.
  await ask(1);
  for (let round = 0; round < 5; round++) await ask(3);
});

test('reading a large body continues only when it is its turn', async () => {
  const waiting: (() => void)[] = [];
  const enqueueRead = (_address: string, next: () => void) => void waiting.push(next);
  const size = 1024 * 1024;
  let received = 0;
  const handler: RequestListener = (request, response) => {
    request.on('data', (chunk) => (received += chunk.length));
    request.on('end', () => response.end('served'));
  };
  const port = await listen(handler, {}, { ...createLoopTurns(), isFree: () => false, enqueueRead });
  const socket = connect(port);
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  socket.write(Buffer.alloc(size));
  await eventually(
    async () => waiting.length,
    (count) => count > 0,
  );
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  assert.ok(received <= size / 4, `${received} at once`);
  const reading = setInterval(() => waiting.shift()?.());
  assert.match(await readUntil(socket, (text) => text.includes('served')), /200 OK/);
  clearInterval(reading);
  assert.equal(received, size);
});

test('under overload the rest of a refused body is not read', async () => {
  const port = await listen((_request, response) => {
    response.writeHead(503, { connection: 'close' }).end('refused');
  });
  const socket = connect(port);
  const size = 64 * 1024 * 1024;
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${size}\r\n\r\n`);
  socket.write(Buffer.alloc(size));
  socket.resume();
  await eventually(
    async () => accepted[0]?.destroyed,
    (isClosed) => isClosed === true,
  );
  assert.ok((accepted[0]?.bytesRead ?? size) < size / 2, `${accepted[0]?.bytesRead} read`);
});
