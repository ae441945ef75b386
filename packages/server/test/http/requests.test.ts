import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_BODIES_BYTES, MAX_BODIES_BYTES_PER_ADDRESS } from '../../src/http/body-reader.ts';
import { assertRefused } from '../support/answers.ts';

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
async function send(text: string): Promise<string> {
  const socket = connect();
  socket.write(text);
  let response = '';
  for await (const chunk of socket.setEncoding('utf8')) response += chunk;
  return response;
}

const codeOf = (response: string) => JSON.parse(response.split('\r\n\r\n')[1] ?? '{}').code;
const head = (lines: string[], line = 'GET /api/agents/ HTTP/1.1') =>
  `${[line, ...lines, 'connection: close'].join('\r\n')}\r\n\r\n`;

test('a duplicate of a single-value header is a 422 that names the header', async () => {
  for (const name of ['x-user-id', 'idempotency-key', 'X-User-Id']) {
    const response = await send(head(['host: localhost', 'x-user-id: me', `${name}: one`, `${name}: two`]));
    assert.match(response, /^HTTP\/1.1 422 /, name);
    assert.deepEqual(JSON.parse(response.split('\r\n\r\n')[1] ?? '').detail[0].loc, ['header', name.toLowerCase()]);
  }
});

test('a request with two Host or two Authorization headers is a 400', async () => {
  for (const header of ['host: localhost', 'authorization: Bearer x']) {
    const response = await send(head(['host: localhost', 'x-user-id: me', header, header]));
    assert.match(response, /^HTTP\/1.1 400 /, header);
    assert.equal(codeOf(response), 'bad_request');
  }
});

test('in open mode on a loopback address only loopback hosts and ALLOWED_HOSTS are served', async () => {
  for (const host of ['localhost', 'LOCALHOST:8000', '127.0.0.1', '127.1.2.3:1', '[::1]:8000', 'localhost.'])
    assert.match(await send(head([`host: ${host}`, 'x-user-id: me'])), /^HTTP\/1.1 200 /, host);
  for (const host of ['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example', '192.0.2.1', '']) {
    const response = await send(head([`host: ${host}`, 'x-user-id: me']));
    assert.match(response, /^HTTP\/1.1 403 /, host);
    assert.equal(codeOf(response), 'host_not_allowed');
  }
  assert.match(await send(head(['host: rebound.example'], 'GET /healthz HTTP/1.1')), /^HTTP\/1.1 200 /);
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

test('in explicit open mode on another address names are refused too; with authentication any host is served', async () => {
  const ask = async (env: Record<string, string>, host: string) =>
    (await startService({ env })).app.server.inject({ url: '/api/agents/', headers: { host, 'x-user-id': 'me' } });
  const outside = { HOST: '0.0.0.0', AUTH_MODE: 'open' };
  assert.equal((await ask(outside, '192.0.2.1:8000')).statusCode, 403);
  assert.equal((await ask(outside, 'rebound.example')).statusCode, 403);
  assert.equal((await ask({ AUTH_MODE: 'required' }, 'api.example')).statusCode, 401);
});

test('in open mode a page of another origin changes nothing: what a browser sends without asking first is refused', async () => {
  const post = (url: string, headers: Record<string, string>, of = service) =>
    of.app.server.inject({ method: 'POST', url, headers: { host: 'localhost:8000', ...headers } });
  const foreign = ['https://evil.example', 'http://localhost:5173', 'http://localhost', 'null', 'x'];
  for (const origin of foreign) {
    for (const url of [
      '/api/doctor',
      '/api/calls/01980000-0000-7000-8000-000000000001/end',
      '/api/callbacks/redeliver',
    ]) {
      const { statusCode, body } = await post(url, { origin, 'sec-fetch-site': 'cross-site' });
      assert.deepEqual([origin, url, statusCode, JSON.parse(body).code], [origin, url, 403, 'origin_not_allowed']);
    }
    for (const type of ['text/plain', 'text/plain;application/json', 'application/x-www-form-urlencoded']) {
      const refused = await post('/api/media/webhook', { origin, 'content-type': type });
      assert.equal(refused.statusCode, 403, type);
    }
  }
  // The service's own page, also behind a proxy that changes the Host header, and clients that are no browsers.
  const end = '/api/calls/01980000-0000-7000-8000-000000000001/end';
  const own = [
    { origin: 'http://localhost:8000' },
    { origin: 'https://calls.example', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of [...own, {}])
    assert.equal((await post(end, headers as Record<string, string>)).statusCode, 404);
  const listed = await startService({ env: { CORS_ORIGINS: 'https://app.example' } });
  assert.equal((await post(end, { origin: 'https://app.example' }, listed)).statusCode, 404);
  assert.equal((await post(end, { origin: 'https://app.example:444' }, listed)).statusCode, 403);
  const any = await startService({ env: { CORS_ORIGINS: '*' } });
  assert.equal((await post(end, { origin: 'https://app.example' }, any)).statusCode, 404);
});

test('no path and no conditional request of the reference is a 5xx', async () => {
  for (const path of ['/docs/../x', '/docs/%00', '/docs/\\/', '/docs/%2e%2e/x', '/console/assets/%00', '/docs//'])
    assert.match(await send(head(['host: localhost'], `GET ${path} HTTP/1.1`)), /^HTTP\/1.1 404 /, path);
  const conditions = ['if-match: "x"', 'if-unmodified-since: x', 'range: bytes=9-1'];
  for (const condition of conditions) {
    const response = await send(head(['host: localhost', condition], 'GET /openapi.json HTTP/1.1'));
    assert.match(response, /^HTTP\/1.1 200 /, condition);
  }
  assert.ok(!service.logged().some((line) => line.includes('"level":50')));
});

test('a client that aborts its body is not reported as a database failure', async () => {
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
    let response = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      response += chunk;
      if (response.includes('body_too_large')) break;
    }
    assert.match(response, /^HTTP\/1.1 413 /);
  });
}

test('large bodies from one address share 16 MiB; beyond that they are a 503, and other addresses continue', async () => {
  const size = 1024 * 1024;
  const lines = ['host: localhost', 'content-type: application/json', `content-length: ${size}`];
  const start = `POST /api/agents/ HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n{`;
  const response: string[] = [];
  const sockets = Array.from({ length: MAX_BODIES_BYTES_PER_ADDRESS / size + 4 }, () => connect('127.0.0.7'));
  for (const socket of sockets) {
    socket.setEncoding('utf8').on('data', (text) => response.push(String(text)));
    socket.write(start + ' '.repeat(size - 2));
  }
  await eventually(
    async () => response.join(''),
    (text) => text.includes('"overloaded"'),
  );
  // The rest of a refused body is not read.
  assert.match(response.join(''), /^HTTP\/1.1 503 .*connection: close/s);
  const elsewhere = await service.request('POST', '/api/agents/', {
    body: { name: 'x', user_id: 'u', config: { filler: 'x'.repeat(100_000) } },
  });
  assert.equal(elsewhere.status, 201);
});

test('large bodies from all addresses share 64 MiB', async () => {
  const fresh = await startService();
  const size = 1024 * 1024;
  const start = `POST /api/agents/ HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n{`;
  const response: string[] = [];
  const share = MAX_BODIES_BYTES_PER_ADDRESS / size - 1;
  for (let index = 0; index < MAX_BODIES_BYTES / size + 8; index++) {
    const socket = connect(`127.0.1.${1 + Math.floor(index / share)}`, fresh.url);
    socket.setEncoding('utf8').on('data', (text) => response.push(String(text)));
    socket.write(start + ' '.repeat(size - 2));
  }
  await eventually(
    async () => response.join(''),
    (text) => text.includes('"overloaded"'),
  );
});

test('public endpoints are rate limited by address, the webhook ten times as high; health is not limited', async () => {
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
  const response = [];
  for (let index = 0; index <= 400; index++)
    response.push((await fresh.request('POST', '/api/media/webhook', event)).status);
  assert.deepEqual([response.indexOf(429), response.length], [400, 401]);
});

test('requests under way are limited per address', async () => {
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
    (response) => response.startsWith('HTTP/1.1 429 '),
  );
  assert.match(await ask('127.0.0.11'), /^HTTP\/1.1 200 /);
});

test('in open mode on all addresses an arbitrary IP address is not served, HOST and ALLOWED_HOSTS are', async () => {
  const open = await startService({ env: { HOST: '0.0.0.0', AUTH_MODE: 'open', ALLOWED_HOSTS: '192.0.2.7' } });
  for (const path of ['/api/settings', '/api/keys'])
    for (const [host, status] of [
      ['192.0.2.1', 403],
      ['[2001:db8::1]:8000', 403],
      ['192.0.2.7:8000', 200],
      ['127.0.0.1', 200],
      ['0.0.0.0:8000', 200],
    ] as const)
      assert.equal((await open.app.server.inject({ url: path, headers: { host } })).statusCode, status, host);
});

test('answers of the API are not cached or taken for pages, errors and streams of files included', async () => {
  const open = await startService();
  for (const [url, accept, vary] of [
    ['/api/callbacks/secret', 'application/json', 'Cookie'],
    ['/api/agents/unknown', 'application/json', 'Cookie'],
    ['/api/usage/events', 'text/csv', 'Accept, Cookie'],
  ] as const) {
    const { headers } = await fetch(open.url + url, { headers: { accept, 'x-user-id': 'me' } });
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('x-content-type-options'), headers.get('vary')],
      ['no-store', 'nosniff', vary],
      url,
    );
  }
});

test('the reference cannot be framed, and runs and loads only what comes from the service', async () => {
  const open = await startService();
  const ask = async (path: string, headers = {}) => {
    const response = await fetch(open.url + path, { headers });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    return { response, policy: response.headers.get('content-security-policy') ?? '' };
  };
  const [page, again] = [await ask('/docs'), await ask('/docs')];
  const nonce = /style-src 'self' 'nonce-([\w-]{22})';/.exec(page.policy)?.[1];
  assert.ok((await page.response.text()).includes(`content="${nonce}"`));
  for (const part of ["default-src 'none';", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'"])
    assert.ok(page.policy.includes(part), part);
  assert.doesNotMatch(page.policy, /unsafe|data:|\*/);
  assert.notEqual(page.policy, again.policy, 'a nonce is used once');
  const { response, policy } = await ask('/openapi.json', { 'accept-encoding': 'br' });
  assert.ok(policy.includes("frame-ancestors 'none'"));
  assert.equal(response.headers.get('content-encoding'), 'br');
  const known = { 'accept-encoding': 'br', 'if-none-match': response.headers.get('etag') ?? '' };
  assert.equal((await fetch(`${open.url}/openapi.json`, { headers: known })).status, 304);
});
