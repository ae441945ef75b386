import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createConnection } from '../src/data/connection.ts';

/** A stream's connection, with what it told. A request is answered with a status; 0 is no answer. */
function opened() {
  const told: string[] = [];
  const connection = createConnection(new AbortController().signal, () => told.push('gap'));
  connection.onChange(() => told.push(connection.state()));
  const send = async (status: number, lastEventId?: string, type = 'text/event-stream') => {
    const headers = new Headers(lastEventId === undefined ? [] : [['last-event-id', lastEventId]]);
    const given = { status, headers: { 'content-type': type } };
    const answer = async () => (status ? new Response('', given) : Promise.reject(new TypeError('no network')));
    const fetched = mock.method(globalThis, 'fetch', answer);
    await connection.send(new Request('http://localhost/api/events', { headers })).catch(() => {});
    fetched.mock.restore();
    return told.splice(0);
  };
  return send;
}

test('a stream that begins anew, since no event had arrived before it stopped, has a gap', async () => {
  const send = opened();
  assert.deepEqual(await send(200), ['live']);
  assert.deepEqual(await send(200), ['reconnecting', 'gap', 'live']);
  assert.deepEqual(await send(200, '7'), ['reconnecting', 'live']);
});

test('a stream whose first attempt failed has a gap once it begins', async () => {
  const send = opened();
  assert.deepEqual(await send(0), ['reconnecting']);
  assert.deepEqual(await send(503), []);
  assert.deepEqual(await send(200), ['gap', 'live']);
});

test('a page that a proxy sends with 200 in place of the stream is no connection', async () => {
  const send = opened();
  assert.deepEqual(await send(200), ['live']);
  assert.deepEqual(await send(200, '7', 'text/html'), ['reconnecting']);
  assert.deepEqual(await send(200, '7', 'text/html'), []);
  assert.deepEqual(await send(200, '7', 'text/event-stream; charset=utf-8'), ['live']);
});

test('pages do not wait for a stream that is refused for now', async () => {
  assert.deepEqual(await opened()(429), ['reconnecting']);
  assert.deepEqual(await opened()(403), []);
});
