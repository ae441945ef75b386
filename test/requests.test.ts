import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, test } from 'node:test';
import { MAX_BODIES_BYTES, MAX_BODIES_BYTES_PER_ADDRESS } from '../src/http/body-reader.ts';
import { assertRefused } from './support/answers.ts';
import { eventually, startService } from './support/service.ts';

const service = await startService({ env: { RATE_LIMIT_PUBLIC: '40', MAX_REQUESTS_PER_ADDRESS: '50' } });

const opened: net.Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

function connect(localAddress = '127.0.0.1', url = service.url): net.Socket {
  const { port } = new URL(url);
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress });
  opened.push(socket);
  return socket.on('error', () => {});
}

/** The answer to a connection that sends this text and waits. */
async function tell(text: string): Promise<string> {
  const socket = connect();
  socket.write(text);
  let told = '';
  for await (const chunk of socket.setEncoding('utf8')) told += chunk;
  return told;
}

const codeOf = (told: string) => JSON.parse(told.split('\r\n\r\n')[1] ?? '{}').code;
const head = (lines: string[], line = 'GET /api/agents/ HTTP/1.1') =>
  `${[line, ...lines, 'connection: close'].join('\r\n')}\r\n\r\n`;

test('a header that may appear once and appears twice is a 422 at the header', async () => {
  for (const name of ['x-user-id', 'idempotency-key', 'X-User-Id']) {
    const told = await tell(head(['host: localhost', 'x-user-id: me', `${name}: one`, `${name}: two`]));
    assert.match(told, /^HTTP\/1.1 422 /, name);
    assert.deepEqual(JSON.parse(told.split('\r\n\r\n')[1] ?? '').detail[0].loc, ['header', name.toLowerCase()]);
  }
});

test('a request with two Host headers is a 400', async () => {
  const told = await tell(head(['host: localhost', 'host: localhost']));
  assert.match(told, /^HTTP\/1.1 400 /);
  assert.equal(codeOf(told), 'bad_request');
});

test('in open mode on a loopback address only loopback names are served, and what ALLOWED_HOSTS adds', async () => {
  for (const host of ['localhost', 'LOCALHOST:8000', '127.0.0.1', '127.1.2.3:1', '[::1]:8000', 'localhost.'])
    assert.match(await tell(head([`host: ${host}`, 'x-user-id: me'])), /^HTTP\/1.1 200 /, host);
  for (const host of ['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example', '192.0.2.1', '']) {
    const told = await tell(head([`host: ${host}`, 'x-user-id: me']));
    assert.match(told, /^HTTP\/1.1 403 /, host);
    assert.equal(codeOf(told), 'host_not_allowed');
  }
  assert.match(await tell(head(['host: rebound.example'], 'GET /healthz HTTP/1.1')), /^HTTP\/1.1 200 /);
  const named = await startService({ env: { ALLOWED_HOSTS: 'one.example,two.example' } });
  // The media server's own name for this machine may be any.
  const webhook = {
    method: 'POST',
    url: '/api/media/webhook',
    payload: { event: 'room_started', id: 'EV_1' },
  } as const;
  const posted = await named.app.server.inject({ ...webhook, headers: { host: 'host.docker.internal:8000' } });
  assert.equal(posted.statusCode, 200);
  const ask = (host: string) => named.app.server.inject({ url: '/api/agents/', headers: { host, 'x-user-id': 'me' } });
  for (const [host, status] of [
    ['Two.example:8000', 200],
    ['three.example', 403],
  ] as const)
    assert.equal((await ask(host)).statusCode, status, host);
});

test('in open mode set by hand on another address, any IP address is served too; with keys any host is', async () => {
  const ask = async (env: Record<string, string>, host: string) =>
    (await startService({ env })).app.server.inject({ url: '/api/agents/', headers: { host, 'x-user-id': 'me' } });
  const outside = { HOST: '0.0.0.0', AUTH_MODE: 'open' };
  assert.equal((await ask(outside, '192.0.2.1:8000')).statusCode, 200);
  assert.equal((await ask(outside, 'rebound.example')).statusCode, 403);
  assert.equal((await ask({ AUTH_MODE: 'required' }, 'api.example')).statusCode, 401);
});

test('no path and no condition under /docs is a failure of the service', async () => {
  for (const path of ['/docs/static/../x', '/docs/static/%00', '/docs/static/\\/', '/docs/static/%2e%2e/x', '/docs//'])
    assert.match(await tell(head(['host: localhost'], `GET ${path} HTTP/1.1`)), /^HTTP\/1.1 404 /, path);
  const conditions = ['if-match: "x"', 'if-unmodified-since: x', 'range: bytes=9-1'];
  for (const condition of conditions) {
    const told = await tell(head(['host: localhost', condition], 'GET /docs/static/swagger-ui.css HTTP/1.1'));
    assert.match(told, /^HTTP\/1.1 200 /, condition);
  }
  assert.ok(!service.logged().some((line) => line.includes('"level":50')));
});

test('a client that breaks off its body is no failure of the database', async () => {
  const socket = connect();
  const lines = ['host: localhost', 'content-type: application/json', 'content-length: 100'];
  socket.write(`POST /api/agents/ HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{"name":`);
  await once(socket, 'connect');
  await service.request('GET', '/healthz');
  socket.resetAndDestroy();
  // Each answer is a turn of the event loop later than what came before it.
  for (let turn = 0; turn < 3; turn++) await service.request('GET', '/healthz');
  assert.deepEqual(
    service.logged().filter((line) => line.includes('request failed')),
    [],
  );
});

for (const [what, lines] of Object.entries({ 'keeps its connection': [], 'closes it': ['connection: close'] })) {
  test(`a client that ${what} and writes 8 MiB before it reads gets its 413`, async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, 'x');
    const socket = connect();
    const headers = ['host: localhost', 'content-type: application/json', `content-length: ${body.length}`, ...lines];
    socket.pause().write(`POST /api/agents/ HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    for (let sent = 0; sent < body.length; sent += 8192)
      await new Promise<void>((resolve, reject) =>
        socket.write(body.subarray(sent, sent + 8192), (error) => (error ? reject(error) : resolve())),
      );
    let told = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      told += chunk;
      if (told.includes('body_too_large')) break;
    }
    assert.match(told, /^HTTP\/1.1 413 /);
  });
}

test('large bodies from one address have 32 MiB together; more are a 503, and another address goes on', async () => {
  const size = 1024 * 1024;
  const lines = ['host: localhost', 'content-type: application/json', `content-length: ${size}`];
  const start = `POST /api/agents/ HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`;
  const told: string[] = [];
  const sockets = Array.from({ length: MAX_BODIES_BYTES_PER_ADDRESS / size + 4 }, () => connect('127.0.0.7'));
  for (const socket of sockets) {
    socket.setEncoding('utf8').on('data', (text) => told.push(String(text)));
    socket.write(start + ' '.repeat(size - 2));
  }
  await eventually(
    async () => told.join(''),
    (text) => text.includes('"overloaded"'),
  );
  // The rest of a refused body is not read.
  assert.match(told.join(''), /^HTTP\/1.1 503 .*connection: close/s);
  const elsewhere = await service.request('POST', '/api/agents/', {
    body: { name: 'x', user_id: 'u', config: { filler: 'x'.repeat(100_000) } },
  });
  assert.equal(elsewhere.status, 201);
});

test('large bodies have 128 MiB together, from however many addresses', async () => {
  const fresh = await startService();
  const size = 1024 * 1024;
  const start = `POST /api/agents/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n{`;
  const told: string[] = [];
  const share = MAX_BODIES_BYTES_PER_ADDRESS / size - 1;
  for (let index = 0; index < MAX_BODIES_BYTES / size + 8; index++) {
    const socket = connect(`127.0.1.${1 + Math.floor(index / share)}`, fresh.url);
    socket.setEncoding('utf8').on('data', (text) => told.push(String(text)));
    socket.write(start + ' '.repeat(size - 2));
  }
  await eventually(
    async () => told.join(''),
    (text) => text.includes('"overloaded"'),
  );
});

test('what needs no key has a limit by address, the webhook one ten times as high; health has none', async () => {
  const statuses = async (path: string) => {
    const seen = new Set<number>();
    for (let index = 0; index < 50; index++) seen.add((await service.request('GET', path)).status);
    return [...seen];
  };
  assert.deepEqual(await statuses('/openapi.json'), [200, 429]);
  assertRefused(await service.request('GET', '/docs'), 429, 'too_many_requests');
  assert.deepEqual(await statuses('/healthz'), [200]);
  const event = { body: { event: 'room_started', id: 'EV_1' } };
  const fresh = await startService({ env: { RATE_LIMIT_PUBLIC: '40' } });
  const told = [];
  for (let index = 0; index <= 400; index++)
    told.push((await fresh.request('POST', '/api/media/webhook', event)).status);
  assert.deepEqual([told.indexOf(429), told.length], [400, 401]);
});

test('an address has so many requests under way, and another address goes on', async () => {
  const start = `POST /api/agents/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n`;
  const waiting = Array.from({ length: 50 }, () => connect('127.0.0.8'));
  for (const socket of waiting) socket.write(start);
  const ask = (from: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(from);
      socket.write(head(['host: localhost', 'x-user-id: me']));
      socket.setEncoding('utf8').once('data', resolve);
    });
  await eventually(
    () => ask('127.0.0.8'),
    (told) => told.startsWith('HTTP/1.1 429 '),
  );
  assert.match(await ask('127.0.0.11'), /^HTTP\/1.1 200 /);
});
