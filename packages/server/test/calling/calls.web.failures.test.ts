import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { ask, begin, statusOf } from '../support/web-calls.ts';

const service = await startService();
const away = () =>
  new ProviderError('provider_unavailable', { provider: 'sandbox', operation: 'createRoom', retryable: true });

test('a repeated request gets new tokens for the same call, and a 409 once that has ended', async () => {
  const agent_id = await createAgent(service);
  const key = { 'idempotency-key': 'web-1' };
  const first = (await ask(service, { agent_id }, key)).body;
  const again = (await ask(service, { agent_id }, key)).body;
  assert.deepEqual([again.call_id, again.room_name], [first.call_id, first.room_name]);
  assert.notEqual(again.events_url, first.events_url);
  const different = await ask(service, { agent_id, max_duration_s: 60 }, key);
  assert.deepEqual([different.status, different.body.detail[0].loc], [422, ['header', 'idempotency-key']]);
  await service.request('POST', `/api/calls/${first.call_id}/end`);
  const late = await ask(service, { agent_id }, key);
  assert.deepEqual([late.status, late.body.code], [409, 'session_over']);
  // Neither the answer nor a token of it is stored.
  const stored = await service.database.db.selectFrom('idempotency_keys').select('answer').execute();
  assert.deepEqual(
    stored.map(({ answer }) => answer),
    [{ call_id: first.call_id }],
  );
});

test('a room that cannot be made fails the call, and the request says so', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const down = await startService({ media: { ...media, createRoom: () => Promise.reject(away()) } });
  const agent_id = await createAgent(down);
  const key = { 'idempotency-key': 'web-2' };
  const { status, body } = await ask(down, { agent_id }, key);
  assert.deepEqual([status, body.code], [503, 'provider_unavailable']);
  const { items } = (await down.request('GET', '/api/calls/', { user: USER })).body;
  assert.deepEqual(
    items.map(({ call_status, end_reason }: Json) => [call_status, end_reason]),
    [['FAILED', 'provider_unavailable']],
  );
  assert.equal((await ask(down, { agent_id }, key)).body.code, 'session_over');
});

test('a call that is ended while its room is made leaves no room', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let makes: Promise<unknown> = Promise.resolve();
  const slow = await startService({
    media: { ...media, createRoom: (room) => makes.then(() => media.createRoom(room)) },
  });
  const agent_id = await createAgent(slow);
  const made = Promise.withResolvers<void>();
  makes = made.promise;
  const asked = ask(slow, { agent_id });
  const { items } = await eventually(
    async () => (await slow.request('GET', '/api/calls/', { user: USER })).body,
    (page) => page.items.length === 1,
  );
  await slow.request('POST', `/api/calls/${items[0].call_id}/end`);
  made.resolve();
  assert.equal((await asked).body.code, 'session_over');
  assert.equal((await media.listRooms()).size, 0);
});

test('a call whose process died before it had a room is ended by the next process', async () => {
  const database = await openTestDatabase();
  const shared = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const death = Promise.withResolvers<never>();
  const dying = { ...shared, createRoom: () => death.promise, close: async () => {} };
  const died = await startService({ database, media: dying });
  const agent_id = await createAgent(died);
  const asked = ask(died, { agent_id });
  const clock = createTestClock();
  const next = await startService({ database, media: { ...shared, close: async () => {} }, clock });
  const calls = async () => (await next.request('GET', '/api/calls/', { user: USER })).body.items;
  const [call] = await eventually(calls, ({ length }) => length === 1);
  // The lease of the dead process runs out on the database's clock; it is taken at once here.
  await database.db.deleteFrom('leases').execute();
  await next.app.reconcile();
  assert.equal(await statusOf(next, call.call_id), 'RINGING');
  clock.advance(6_000);
  await next.app.reconcile();
  assert.equal((await reaches(next, call.call_id, 'FAILED')).end_reason, 'interrupted');
  death.reject(away());
  assert.equal((await asked).status, 503);
  await next.close();
  await died.close();
  await database.close();
});

test('calls in browsers and calls to phones count together', async () => {
  const env = { CALLS_CONCURRENT: '1', CALLS_PER_SECOND: '100', CALLS_BURST: '100', CALLS_PER_DAY: '2' };
  const limited = await startService({ env });
  const agent_id = await createAgent(limited);
  // The sandbox allows ten times as many.
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(limited, { agent_id })));
  const allowed = answers.filter(({ status }) => status === 201);
  assert.equal(allowed.length, 10);
  for (const { status, body, headers } of answers.filter((one) => !allowed.includes(one))) {
    assert.deepEqual([status, body.code], [429, 'too_many_calls']);
    assert.ok(Number(headers.get('retry-after')) >= 1);
  }
  const phone = { user: USER, body: { agent_id, phone_number: '+15005550001' } };
  assert.equal((await limited.request('POST', '/api/calls/outbound', phone)).status, 429);
  for (const { body } of allowed) await limited.request('POST', `/api/calls/${body.call_id}/end`);
  for (let n = 0; n < 5; n++) {
    const { call_id } = await placeCall(limited, '+15005550001', { agent_id });
    await reaches(limited, call_id, 'FAILED');
  }
  for (let n = 0; n < 5; n++) {
    const { call_id } = await begin(limited, { agent_id });
    await limited.request('POST', `/api/calls/${call_id}/end`);
  }
  const { status, body } = await ask(limited, { agent_id });
  assert.deepEqual([status, body.code], [429, 'too_many_calls'], 'twenty are a day');
  assert.match(body.detail, /a day/);
});

test('what cannot be called, or is not said right, is refused', async () => {
  const agent_id = await createAgent(service);
  const inactive = await createAgent(service, { is_active: false });
  const foreign = await createAgent(service, { user_id: 'somebody-else' });
  for (const [body, status, about] of [
    [{ agent_id: inactive }, 409, 'agent_inactive'],
    [{ agent_id: foreign }, 404, 'not_found'],
    [{ agent_id: 'nonsense' }, 404, 'not_found'],
    [{}, 422, 'missing'],
    [{ agent_id, phone_number: '+15005550100' }, 422, 'extra_forbidden'],
    [{ agent_id, max_duration_s: 7201 }, 422, 'less_than_equal'],
    [{ agent_id, variables: { a: [] } }, 422, 'value_error'],
    [{ agent_id, callback_url: 'ftp://example.com' }, 422, 'url_parsing'],
  ] as const) {
    const answer = await ask(service, body);
    assert.deepEqual([answer.status, answer.body.code ?? answer.body.detail[0].type], [status, about]);
  }
  const nobody = await service.request('POST', '/api/calls/web', { body: { agent_id } });
  assert.deepEqual([nobody.status, nobody.body.code], [401, 'user_required']);
});
