import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { LINGER_MS } from '../../src/http/linger.ts';
import { MAX_HEAVY, MAX_IN_FLIGHT } from '../../src/http/request-turns.ts';
import { MAX_UNSENT_BYTES } from '../../src/http/unread-responses.ts';
import { connect, listen, readUntil } from '../support/connections.ts';

const service = await startService({ env: { MAX_CONNECTIONS_PER_ADDRESS: '5' } });

const countOf = (text: string, part: string) => text.split(part).length - 1;

test('of 1,500 pipelined requests at most 20 run at once, and all are answered in order', async () => {
  const inFlight: { url: string; response: ServerResponse }[] = [];
  let peak = 0;
  let served = 0;
  const port = await listen((request, response) => {
    inFlight.push({ url: request.url ?? '', response });
    served++;
    peak = Math.max(peak, inFlight.length);
  });
  const socket = connect(port);
  const body = 'x'.repeat(10);
  const all = Array.from({ length: 1500 }, (_, index) =>
    index % 2 === 0
      ? `GET /${index} HTTP/1.1\r\nhost: x\r\n\r\n`
      : `POST /${index} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n${body}`,
  );
  socket.write(all.join(''));
  await eventually(
    async () => inFlight.length,
    (count) => count > 0,
  );
  const answering = setInterval(() => {
    for (const { url, response } of inFlight.splice(0)) response.end(`<${url}>`);
  });
  const text = await readUntil(socket, (received) => received.includes('</1499>'));
  clearInterval(answering);
  assert.deepEqual(
    [...text.matchAll(/<\/(\d+)>/g)].map(([, index]) => Number(index)),
    Array.from({ length: 1500 }, (_, index) => index),
  );
  assert.ok(peak <= MAX_IN_FLIGHT, `${peak} in flight`);
  assert.equal(served, 1500);
});

test('Node alone dispatches all requests of a chunk at once, hence the limit', async () => {
  let inFlight = 0;
  const server = createServer(() => inFlight++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  connect((server.address() as AddressInfo).port).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
  await eventually(
    async () => inFlight,
    (count) => count === 1000,
  );
  server.closeAllConnections();
  server.close();
});

test('pipelined requests are answered in order, the last one with a body, and the connection closes on request', async () => {
  const socket = connect(Number(new URL(service.url).port));
  const get = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const post =
    'POST /api/agents/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 32\r\n\r\n{"name":"pipelined","user_id":""}';
  socket.write(get.repeat(100) + post.replace('content-length: 32', 'content-length: 33'));
  const text = await readUntil(socket, () => false);
  assert.equal(countOf(text, 'HTTP/1.1 200 '), 100);
  assert.equal(countOf(text, 'HTTP/1.1 422 '), 1);
  assert.ok(text.lastIndexOf('HTTP/1.1 200 ') < text.indexOf('HTTP/1.1 422 '));
});

test('a client that disconnects with held requests leaks nothing', async () => {
  const responses: ServerResponse[] = [];
  const port = await listen((_request, response) => responses.push(response));
  const socket = connect(port);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100));
  await eventually(
    async () => responses.length,
    (count) => count > 0,
  );
  socket.resetAndDestroy();
  await eventually(
    async () => responses.filter(({ closed }) => !closed).length,
    (count) => count === 0,
  );
  assert.ok(responses.length <= MAX_IN_FLIGHT);
});

test('a connection that does not read its response is closed; one that waits for a slow response is not', async () => {
  // Less than all unread responses together may have.
  const large = Buffer.alloc(MAX_UNSENT_BYTES / 2);
  const slow: ServerResponse[] = [];
  const port = await listen(
    (request, response) =>
      request.url === '/slow' ? slow.push(response) : response.end(request.url === '/large' ? large : ''),
    { answerTimeoutMs: 400 },
  );
  const [deaf, patient] = [connect(port), connect(port)];
  patient.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
  deaf.pause().write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(
    async () => slow.length,
    (count) => count === 1,
  );
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A reset shows when the client writes on: it reads nothing.
  const writing = setInterval(() => deaf.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'), 20);
  deaf.on('close', () => resolve());
  await closed;
  clearInterval(writing);
  slow[0]?.end('at last');
  assert.match(await readUntil(patient, (text) => text.includes('at last')), /200 OK/);
});

test('unread responses share 64 MiB: those left unread longest are cut off, and others continue', async () => {
  const large = Buffer.alloc(MAX_UNSENT_BYTES / 8);
  const answered: ServerResponse[] = [];
  const port = await listen((request, response) => {
    if (request.url === '/small') return response.end('small');
    answered.push(response);
    return response.end(large);
  });
  const deaf = Array.from({ length: 16 }, () => connect(port).pause());
  for (const socket of deaf) socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually(
    async () => answered.filter(({ destroyed, writableFinished }) => destroyed && !writableFinished).length,
    (count) => count >= 4,
  );
  const reader = connect(port);
  reader.write('GET /small HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.match(await readUntil(reader, (text) => text.includes('small')), /200 OK/);
});

test('connections are limited per address', async () => {
  const { port } = new URL(service.url);
  const idle = Array.from({ length: 5 }, () => connect(Number(port), '127.0.0.9'));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  const more = connect(Number(port), '127.0.0.9');
  assert.equal(await readUntil(more, () => false), '');
  const other = connect(Number(port), '127.0.0.10');
  other.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  assert.match(await readUntil(other, (text) => text.includes('ok')), /^HTTP\/1.1 200 /);
  idle[0]?.destroy();
  await eventually(
    async () => {
      const again = connect(Number(port), '127.0.0.9');
      again.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
      return readUntil(again, () => false);
    },
    (text) => text.startsWith('HTTP/1.1 200 '),
  );
});

test('connections beyond the limit of the process are closed', async () => {
  const port = await listen((_request, response) => response.end('here'), { total: 2 });
  const [first, second] = [connect(port), connect(port)];
  await Promise.all([once(first, 'connect'), once(second, 'connect')]);
  first.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await readUntil(first, (text) => text.includes('here'));
  assert.equal(await readUntil(connect(port), () => false), '');
});

test('the rest of a body is read for 5 s after the last response, then the connection is closed', async () => {
  const port = await listen((_request, response) => response.setHeader('connection', 'close').end('refused'));
  const socket = connect(port);
  const begun = performance.now();
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n');
  const writing = setInterval(() => socket.write('x'), 20);
  assert.match(await readUntil(socket, () => false), /refused$/);
  // It has been told that nothing more comes; what it writes is taken until it is cut off.
  await new Promise((resolve) => socket.once('close', resolve).resume());
  clearInterval(writing);
  assert.ok(performance.now() - begun >= LINGER_MS - 10);
});

test('512 requests with large bodies run at once; beyond that an address above its share gets a 503, and others continue', async () => {
  let inFlight = 0;
  const port = await listen(() => inFlight++, { perAddress: 10_000, total: 10_000 });
  const start = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n';
  for (let index = 0; index < MAX_HEAVY; index++) connect(port, '127.0.0.21').write(start);
  await eventually(
    async () => inFlight,
    (count) => count === MAX_HEAVY,
  );
  const more = connect(port, '127.0.0.21');
  more.write(start);
  const response = await readUntil(more, (text) => text.includes('"overloaded"'));
  assert.match(response, /^HTTP\/1.1 503 .*connection: close.*retry-after: 1/s);
  connect(port, '127.0.0.22').write(start);
  await eventually(
    async () => inFlight,
    (count) => count === MAX_HEAVY + 1,
  );
});
