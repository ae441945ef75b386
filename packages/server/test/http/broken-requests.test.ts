import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';

const service = await startService({ env: { REQUEST_TIMEOUT_MS: '1000' } });
const { port } = new URL(service.url);

/** The answer to a connection that sends this text and waits. */
async function tell(text: string): Promise<string> {
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(text);
  let response = '';
  for await (const chunk of socket.setEncoding('utf8')) response += chunk;
  return response;
}

test('anything that is not an HTTP request is a 400 in the API’s error format', async () => {
  const response = await tell('nonsense\r\n\r\n');
  assert.match(response, /^HTTP\/1.1 400 /);
  assert.equal(JSON.parse(response.split('\r\n\r\n')[1] ?? '').code, 'bad_request');
});

test('headers beyond 16 KiB are a 431', async () => {
  const response = await tell(`GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-filler: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.match(response, /^HTTP\/1.1 431 /);
  assert.equal(JSON.parse(response.split('\r\n\r\n')[1] ?? '').code, 'headers_too_large');
});

test('a request without a host is a 400, and one with an unknown Expect a 417, in the API’s error format', async () => {
  const hostless = await tell('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n');
  assert.match(hostless, /^HTTP\/1.1 400 /);
  assert.equal(JSON.parse(hostless.split('\r\n\r\n')[1] ?? '').code, 'bad_request');
  const expecting = await tell('GET /healthz HTTP/1.1\r\nhost: localhost\r\nexpect: miracles\r\n\r\n');
  assert.match(expecting, /^HTTP\/1.1 417 /);
  assert.match(expecting, /"code":"expectation_failed"/);
});

test('HTTP/1.0 needs no host', async () => {
  assert.match(await tell('GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1.1 200 /);
});

for (const [what, text] of Object.entries({
  headers: 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ',
  body: 'POST /api/usage/events HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
})) {
  test(`a connection whose ${what} never end gets a 408 and is closed`, async () => {
    const response = await tell(text);
    assert.match(response, /^HTTP\/1.1 408 /);
    assert.match(response, /connection: close/i);
  });
}

test('a compressed body is a 415', async () => {
  const headers = { 'content-encoding': 'gzip' };
  const { status, body } = await service.request('POST', '/api/agents/', {
    body: { name: 'x', user_id: 'u' },
    headers,
  });
  assert.deepEqual([status, body.code], [415, 'unsupported_media_type']);
});
