import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { type Description, describeMethods } from '../scripts/describe-methods.ts';
import { createSwitchboard } from '../src/index.ts';
import { METHODS } from '../src/methods.ts';

const file = path.resolve(import.meta.dirname, '../../server/openapi.json');
const description = JSON.parse(await readFile(file, 'utf8')) as Description;
const operations = Object.entries(description.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ template, method: method.toUpperCase(), ...operation })),
);
const methods = Object.entries(METHODS).flatMap(([group, ids]) =>
  Object.entries(ids).map(([name, id]) => ({ group, name, id: id as string })),
);
const INPUT = { sign: 'of the test' };

test('every operation of the API has one method', () => {
  assert.ok(operations.length > 40);
  assert.deepEqual(methods.map(({ id }) => id).sort(), operations.map(({ operationId }) => operationId).sort());
});

test('an operation without a method is named, and so is a method without an operation', () => {
  const { create: _, ...agents } = METHODS.agents;
  assert.throws(() => describeMethods(description, { ...METHODS, agents }), /no method for createAgent: .*methods\.ts/);
  const renamed = { ...METHODS, audit: { ...METHODS.audit, read: 'readAudit' } };
  assert.throws(() => describeMethods(description, renamed), /readAudit, which is no operation/);
});

for (const { group, name, id } of methods) {
  const operation = operations.find(({ operationId }) => operationId === id);
  assert.ok(operation);
  const { template, method, parameters = [], requestBody, responses } = operation;

  test(`sb.${group}.${name} sends ${method} ${template}`, async () => {
    const isStream = ['streamCallEvents', 'streamEvents'].includes(id);
    const seen: Request[] = [];
    const sb = createSwitchboard({
      baseUrl: 'http://switchboard.test/prefix/',
      userId: 'user-1',
      fetch: async (request) => {
        seen.push(request);
        return isStream || '204' in responses ? new Response(null, { status: 204 }) : Response.json({});
      },
    });
    const ids = [...template.matchAll(/\{\w+\}/g)].map((_, index) => `an/id ${index}`);
    const takesQuery = parameters.some((one) => one.in === 'query') && !isStream;
    const call = (sb as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[group]?.[name];
    const answer = call?.(...ids, ...(requestBody || takesQuery ? [INPUT] : []), { userId: 'user-2' });
    if (isStream) for await (const _ of answer as AsyncIterable<unknown>) assert.fail('no event was sent');
    else await answer;
    const [request] = seen;
    assert.ok(request);
    const url = new URL(request.url);
    const expected = ids.reduce((path, part) => path.replace(/\{\w+\}/, encodeURIComponent(part)), template);
    assert.deepEqual([request.method, url.pathname], [method, `/prefix${expected}`]);
    assert.equal(request.headers.get('x-user-id'), 'user-2');
    assert.equal(url.search, takesQuery ? '?sign=of%20the%20test' : '');
    const body = await request.text();
    assert.deepEqual(
      body ? { ...JSON.parse(body), user_id: undefined } : body,
      requestBody ? { ...INPUT, user_id: undefined } : '',
    );
    const takesKey = parameters.some((one) => one.name === 'idempotency-key');
    assert.match(request.headers.get('idempotency-key') ?? '', takesKey ? /^[0-9a-f]{32}$/ : /^$/);
  });
}

test('an operation that the service lets wait has longer than others, unless the client says otherwise', async (t) => {
  const times: (number | undefined)[] = [];
  const start = globalThis.setTimeout;
  t.mock.method(globalThis, 'setTimeout', (run: () => void, ms?: number) => {
    times.push(ms);
    return start(run, ms);
  });
  const fetch = async () => Response.json({});
  for (const more of [{}, { timeoutMs: 5_000 }]) {
    const sb = createSwitchboard({ baseUrl: 'http://127.0.0.1:1', fetch, ...more });
    await sb.users.erase('u');
    await sb.agents.get('a');
    await sb.users.erase('u', { timeoutMs: 7_000 });
    await sb.calls.transfer('c', { phone_number: '+15005550100' });
    await sb.tasks.claim({ kind: 'analysis', wait_s: 30 });
    await sb.agents.checkFunction('a', { name: 'f' } as never);
  }
  assert.deepEqual(times, [90_000, 30_000, 7_000, 60_000, 60_000, 90_000, 5_000, 5_000, 7_000, 5_000, 5_000, 5_000]);
});

test('a key for an operation that takes none is not sent, and so makes nothing repeated', async () => {
  let sent = 0;
  const fetch = async (request: Request) => {
    sent++;
    assert.equal(request.headers.get('idempotency-key'), null);
    throw new TypeError('the connection broke');
  };
  const sb = createSwitchboard({ baseUrl: 'http://127.0.0.1:1', fetch, retryDelayMs: 1 });
  await assert.rejects(sb.agents.create({ name: 'x', user_id: 'u' }, { idempotencyKey: 'k' }), {
    code: 'network_error',
  });
  assert.equal(sent, 1);
});

test('a request that is said to be repeatable is retried without a key', async () => {
  const keys: (string | null)[] = [];
  const fetch = async (request: Request) => {
    keys.push(request.headers.get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('the connection broke');
    return Response.json({ task_id: 't' });
  };
  const sb = createSwitchboard({ baseUrl: 'http://127.0.0.1:1', fetch, retryDelayMs: 1 });
  const result = { lease_token: 1, result: {} };
  assert.deepEqual(await sb.tasks.complete('t', result, { isRepeatable: true }), { task_id: 't' });
  assert.deepEqual(keys, [null, null]);
});

test('a list without an end is no list to be read to its end', async () => {
  const answer = { items: [], next_cursor: '7' };
  const sb = createSwitchboard({ baseUrl: 'http://127.0.0.1:1', fetch: async () => Response.json(answer) });
  const changes = sb.suppressions.changes({ cursor: '7' });
  assert.equal(Symbol.asyncIterator in changes, false);
  assert.deepEqual(await changes, answer);
});

test('an id that would lead to another operation is refused: none, or dots', async () => {
  const sb = createSwitchboard({ baseUrl: 'http://127.0.0.1:1' });
  for (const id of ['', '.', '..', undefined as unknown as string, 7 as unknown as string])
    assert.throws(() => sb.agents.delete(id), /agent_id must be an id/);
});

test('an invalid base URL is refused', () => {
  for (const baseUrl of ['', 'localhost:8000', 'ftp://x', 'http://x/?a=1'])
    assert.throws(() => createSwitchboard({ baseUrl }), /baseUrl must be an http or https URL/);
});

test('a base URL with a password is refused with a message that does not contain it', () => {
  for (const baseUrl of [
    'https://u:secret@x',
    'https://:secret@x',
    'https://secret@x',
    'ftp://u:secret@x',
    'http://u:secret@',
  ])
    assert.throws(
      () => createSwitchboard({ baseUrl }),
      (error: Error) => {
        assert.match(error.message, /baseUrl must be .* without a query, a user name or a password/);
        return !error.message.includes('secret');
      },
    );
});
