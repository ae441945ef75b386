import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { problemsOf } from '../support/answers.ts';
import { holdTable } from '../support/hold-table.ts';

const service = await startService();
const event = {
  session_id: 'session-1',
  user_id: 'user-1',
  agent_id: 'agent-1',
  provider: 'openai',
  event_type: 'llm_tokens',
  quantity: 1,
  unit_cost: '0.1',
  total_cost: '0.1',
};
const send = (body: unknown, headers: Record<string, string> = {}, user?: string) =>
  service.request('POST', '/api/usage/events/batch', { body, headers, ...(user !== undefined && { user }) });
const total = async (user: string) => (await service.request('GET', '/api/costs/summary', { user })).body.total_cost;

test('a batch is answered event by event in order, and is in the reports at once', async () => {
  const events = Array.from({ length: 1000 }, (_, index) => ({ ...event, session_id: `session-${index}` }));
  const { status, body } = await send({ events });
  assert.equal(status, 201);
  assert.deepEqual(
    body.events.map(({ session_id }: { session_id: string }) => session_id),
    events.map(({ session_id }) => session_id),
  );
  assert.equal(new Set(body.events.map(({ id }: { id: string }) => id)).size, 1000);
  assert.equal(await total('user-1'), '100');
  assert.deepEqual((await createRollups(service.database.db).verify(() => {})).wrong, []);
});

test('numbers keep the digits they were sent with, in every event', async () => {
  const amounts = ['1e-7', '0.100000000000000001', '12345678901234567890', '-0.5'];
  const text = amounts.map((amount) => `${JSON.stringify(event).slice(0, -1)},"quantity":${amount}}`).join(',');
  const { status, body } = await send(`{"events":[${text}]}`);
  assert.equal(status, 201);
  assert.deepEqual(
    body.events.map(({ quantity }: { quantity: string }) => quantity),
    ['0.0000001', '0.100000000000000001', '12345678901234567890', '-0.5'],
  );
});

test('one invalid event refuses the batch, and each problem names its event', async () => {
  const before = await total('user-1');
  const events = [
    event,
    { ...event, quantity: 'many', provider: undefined },
    event,
    7,
    { ...event, event_type: 'minutes', user_id: 'a\0b', session_id: 'é'.repeat(256) },
  ];
  assert.deepEqual(problemsOf(await send({ events })), [
    'body.events.1.provider missing',
    'body.events.1.quantity decimal_parsing',
    'body.events.3 dict_type',
    'body.events.4.event_type enum',
    'body.events.4.session_id string_too_long',
    'body.events.4.user_id string_nul',
  ]);
  assert.deepEqual(problemsOf(await send({ events: [event, { ...event, user_id: 'user-2' }] })), [
    'body.events.1.user_id value_error',
  ]);
  assert.equal(await total('user-1'), before);
});

test('names that are too long to be indexed together are refused, and the longest others are taken', async () => {
  const name = (from: number, bytes: number) =>
    Array.from({ length: bytes / 3 }, (_, index) => String.fromCharCode(from + index * 7)).join('');
  const [a, b, c] = [name(0x4e00, 765), name(0x5800, 765), name(0x6200, 765)];
  for (const [more, status] of [
    [{ user_id: a, agent_id: b, session_id: c, provider: c }, 201],
    [{ user_id: a, agent_id: b, provider: c, model: c }, 422],
    [{ user_id: a, agent_id: b, session_id: '\u{20000}\u{2a700}'.repeat(125) }, 422],
  ] as const) {
    const answer = await send({ events: [{ ...event, ...more }] });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (status === 422) assert.deepEqual(problemsOf(answer), ['body.events.0.user_id too_long']);
  }
  const single = { ...event, user_id: a, agent_id: b, session_id: '\u{20000}\u{2a700}'.repeat(125) };
  const answer = await service.request('POST', '/api/usage/events', { body: single });
  assert.deepEqual(problemsOf(answer), ['body.user_id too_long']);
});

test('a batch has 1 to 1,000 events and no other fields', async () => {
  assert.deepEqual(problemsOf(await send({ events: [] })), ['body.events too_short']);
  assert.deepEqual(problemsOf(await send({ events: Array(1001).fill(event) })), ['body.events too_long']);
  assert.deepEqual(problemsOf(await send({ events: 'all' })), ['body.events list_type']);
  assert.deepEqual(problemsOf(await send({})), ['body.events missing']);
  assert.deepEqual(problemsOf(await send({ events: [event], more: 1 })), ['body.more extra_forbidden']);
});

test('a batch without events uses up its key: one that may have arrived has, or never will', async () => {
  const events = [{ ...event, user_id: 'unknown' }];
  const key = (name: string) => ({ 'idempotency-key': name });
  assert.deepEqual(problemsOf(await send({ events: [] })), ['body.events too_short']);
  for (let again = 0; again < 2; again++) {
    const { status, body } = await send({ events: [] }, key('lost'));
    assert.deepEqual([status, body], [201, { events: [] }]);
  }
  assert.deepEqual(problemsOf(await send({ events }, key('lost'))), ['header.idempotency-key value_error']);
  assert.equal(await total('unknown'), '0');
  assert.equal((await send({ events }, key('arrived'))).status, 201);
  assert.deepEqual(problemsOf(await send({ events: [] }, key('arrived'))), ['header.idempotency-key value_error']);
});

test('of a batch and one without events under its key, at the same time, one is carried out', async () => {
  for (let round = 0; round < 10; round++) {
    const user_id = `race-${round}`;
    const headers = { 'idempotency-key': user_id };
    const answers = await Promise.all([
      send({ events: [{ ...event, user_id }] }, headers),
      send({ events: [] }, headers),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 1, statuses.join());
    assert.ok(statuses.every((status) => [201, 409, 422].includes(status)));
    assert.equal(await total(user_id), statuses[0] === 201 ? '0.1' : '0');
  }
});

test('a batch repeated under its key counts once, and gets the first response', async () => {
  const events = [{ ...event, user_id: 'again' }];
  const [first, second] = [
    await send({ events }, { 'idempotency-key': 'flush' }),
    await send({ events }, { 'idempotency-key': 'flush' }),
  ];
  assert.deepEqual(second.body, first.body);
  assert.equal(await total('again'), '0.1');
});

test('small batches and single events that arrive together share commits, and each is answered by its own', async () => {
  const priced = { provider: 'shared', event_type: 'llm_output_tokens', price: '0.5', valid_from: '2026-01-01' };
  await service.request('PUT', '/api/prices', { body: { entries: [priced] } });
  const { unit_cost: _, total_cost: __, ...unpriced } = event;
  const release = await holdTable(service.database.db, 'usage_events');
  let arrived = 0;
  service.app.server.server.on('request', () => arrived++);
  const sent = Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const headers = { 'idempotency-key': `shared-${number}` };
      const one = { ...event, user_id: 'shared', session_id: `shared-${number}` };
      if (number % 2) {
        const { status, body } = await service.request('POST', '/api/usage/events', { body: one, headers });
        return [status, [body.session_id], body.total_cost];
      }
      const two = { ...unpriced, ...priced, price: undefined, valid_from: undefined, user_id: 'shared' };
      const { status, body } = await send({ events: [one, { ...two, session_id: one.session_id }] }, headers);
      const sessions = body.events.map(({ session_id }: { session_id: string }) => session_id);
      return [status, sessions, body.events[1].total_cost];
    }),
  );
  await eventually(
    async () => arrived,
    (count) => count === 40,
  );
  await release();
  const answers = await sent;
  for (const [number, answer] of answers.entries()) {
    const id = `shared-${number}`;
    assert.deepEqual(answer, number % 2 ? [201, [id], '0.1'] : [201, [id, id], '0.5']);
  }
  assert.equal(await total('shared'), '14');
  const { rows } = await sql<{ commits: number }>`
    select count(distinct xmin::text)::int as commits from usage_events where user_id = 'shared'`.execute(
    service.database.db,
  );
  assert.ok((rows[0]?.commits ?? 40) < 20, `${rows[0]?.commits} commits`);
});

test('a batch for another user is refused', async () => {
  assert.equal((await send({ events: [event] }, {}, 'somebody-else')).status, 403);
});
