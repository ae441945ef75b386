import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, afterEach, test } from 'node:test';
import { createConnections, LINGER_MS, MAX_HEAVY, MAX_UNDER_WAY, MAX_UNSENT_BYTES } from '../src/http/connections.ts';
import { createTurns } from '../src/lib/turns.ts';
import { eventually, startService } from './support/service.ts';

const service = await startService({ env: { MAX_CONNECTIONS_PER_ADDRESS: '5' } });

async function listen(handler: RequestListener, limits = {}, turns = createTurns()) {
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
const accepted: net.Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  accepted.length = 0;
});

function connect(port: number, host = '127.0.0.1'): net.Socket {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: host, allowHalfOpen: true });
  opened.push(socket);
  return socket.on('error', () => {});
}

/** Text received over the connection until `isEnough`. */
async function readUntil(socket: net.Socket, isEnough: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    if (isEnough(text)) break;
  }
  return text;
}

const countOf = (text: string, part: string) => text.split(part).length - 1;

test('of 1,500 requests on one connection at most 20 are under way at once, and all are answered in their order', async () => {
  const underWay: { url: string; response: ServerResponse }[] = [];
  let most = 0;
  let served = 0;
  const port = await listen((request, response) => {
    underWay.push({ url: request.url ?? '', response });
    served++;
    most = Math.max(most, underWay.length);
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
    async () => underWay.length,
    (count) => count > 0,
  );
  const answering = setInterval(() => {
    for (const { url, response } of underWay.splice(0)) response.end(`<${url}>`);
  });
  const text = await readUntil(socket, (received) => received.includes('</1499>'));
  clearInterval(answering);
  assert.deepEqual(
    [...text.matchAll(/<\/(\d+)>/g)].map(([, index]) => Number(index)),
    Array.from({ length: 1500 }, (_, index) => index),
  );
  assert.ok(most <= MAX_UNDER_WAY, `${most} under way`);
  assert.equal(served, 1500);
});

test('Node alone hands over all requests of a chunk at once: what the limit is there for', async () => {
  let underWay = 0;
  const server = createServer(() => underWay++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  connect((server.address() as AddressInfo).port).write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
  await eventually(
    async () => underWay,
    (count) => count === 1000,
  );
  server.closeAllConnections();
  server.close();
});

test('the service answers pipelined requests in their order, the last one with a body, and closes when asked to', async () => {
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

test('a client that goes while its requests are held takes nothing with it', async () => {
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
  assert.ok(responses.length <= MAX_UNDER_WAY);
});

test('a connection that does not read its answer is closed; one that waits for a slow answer is not', async () => {
  const large = Buffer.alloc(64 * 1024 * 1024);
  const slow: ServerResponse[] = [];
  const port = await listen(
    (request, response) => (request.url === '/slow' ? slow.push(response) : response.end(large)),
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

test('unread answers have 128 MiB together: those that were left longest are cut, and others go on', async () => {
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

test('an address has so many connections, and others do not count for it', async () => {
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

test('connections beyond those of the process are closed', async () => {
  const port = await listen((_request, response) => response.end('here'), { total: 2 });
  const [first, second] = [connect(port), connect(port)];
  await Promise.all([once(first, 'connect'), once(second, 'connect')]);
  first.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await readUntil(first, (text) => text.includes('here'));
  assert.equal(await readUntil(connect(port), () => false), '');
});

test('the rest of a body is read for so long after the last answer, then the connection is closed', async () => {
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

test('what a connection sends stays with the system until it is its turn', async () => {
  const waiting: (() => void)[] = [];
  const turns = { ...createTurns(), arrive: (_address: string, next: () => void) => void waiting.push(next) };
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

test('a large body is read on when it is its turn, and not before', async () => {
  const waiting: (() => void)[] = [];
  const enqueueRead = (_address: string, next: () => void) => void waiting.push(next);
  const size = 1024 * 1024;
  let received = 0;
  const handler: RequestListener = (request, response) => {
    request.on('data', (chunk) => (received += chunk.length));
    request.on('end', () => response.end('served'));
  };
  const port = await listen(handler, {}, { ...createTurns(), isFree: () => false, enqueueRead });
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

test('1,024 requests with large bodies are under way at once; then an address with its share of them gets a 503, another goes on', async () => {
  let underWay = 0;
  const port = await listen(() => underWay++, { perAddress: 10_000, total: 10_000 });
  const start = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n';
  for (let index = 0; index < MAX_HEAVY; index++) connect(port, '127.0.0.21').write(start);
  await eventually(
    async () => underWay,
    (count) => count === MAX_HEAVY,
  );
  const more = connect(port, '127.0.0.21');
  more.write(start);
  const told = await readUntil(more, (text) => text.includes('"overloaded"'));
  assert.match(told, /^HTTP\/1.1 503 .*connection: close.*retry-after: 1/s);
  connect(port, '127.0.0.22').write(start);
  await eventually(
    async () => underWay,
    (count) => count === MAX_HEAVY + 1,
  );
});

test('the rest of a body is not read after a refusal because there is too much to do', async () => {
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
