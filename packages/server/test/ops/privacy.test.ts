import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { createSandboxCarrier } from '../../src/providers/sandbox/carrier.ts';
import { assertRefused } from '../support/answers.ts';
import { callbackTo } from '../support/callbacks.ts';

const REPAIR = { actor: 'repair', user_id: null, ip: null };
const receiver = await startReceiver();
const VICTIM = 'eve@example.com';
const PHONE = '+15005550177';
const TARGET = '+15005550188';
const SECRETS = ['my card is 4111', 'Eve Example', 'room-of-eve', 'knows-eve', PHONE.slice(1), TARGET.slice(1), VICTIM];

/** A user with a bit of everything. */
async function fill(service: Service, user: string): Promise<void> {
  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    service.request(method, path, { user, headers, ...(body && { body }) });
  const config = { prompt: 'You talk to Eve Example' };
  const agent_id = (await send('POST', '/api/agents/', { name: 'Eve Example', user_id: user, config })).body.id;
  const callback_url = `${receiver.url}/eve?who=knows-eve`;
  const call = { agent_id, phone_number: PHONE, callback_url };
  const { call_id, room_name } = (await send('POST', '/api/calls/outbound', call, { 'idempotency-key': 'call' })).body;
  await reaches(service, call_id, 'ANSWERED');
  await send(
    'POST',
    `/api/sessions/by-room/${room_name}/transcripts`,
    { content: 'my card is 4111' },
    { 'idempotency-key': 't' },
  );
  await send('PATCH', `/api/sessions/${call_id}`, { metadata: { name: 'Eve Example' } });
  await service.request('POST', `/api/sessions/${call_id}/turns`, {
    body: {
      turns: [{ turn_index: 0, end_of_speech_at: '2026-01-15T09:30:00Z', first_audio_ms: 5, model: 'of Eve Example' }],
    },
  });
  await send('POST', `/api/sessions/${call_id}/transfer`, { phone_number: TARGET });
  await send('POST', '/api/sessions/', { user_id: user, room_name: 'room-of-eve', agent_id });
  await send('POST', '/api/telephony/numbers/assign', { agent_id, phone_number: '+15005550010' });
  await service.request('POST', '/api/media/webhook', {
    body: {
      id: `EV_${user.length}`,
      event: 'participant_joined',
      room: { name: room_name },
      participant: { identity: PHONE },
    },
  });
  for (const total_cost of ['0.1', '0.020000000000000001', '-0.01']) {
    const event = { session_id: call_id, user_id: user, agent_id, provider: 'openai', event_type: 'llm_tokens' };
    const body = { ...event, quantity: 1, unit_cost: total_cost, total_cost };
    await service.request('POST', '/api/usage/events', { body, headers: { 'idempotency-key': `usage-${total_cost}` } });
  }
  await send('POST', '/api/usage/events/batch', { events: [] }, { 'idempotency-key': 'no-events' });
  await send('POST', '/api/callbacks/secret/rotate', {});
  await callbackTo(service, callback_url, ({ status }) => status === 'delivered', { user });
  await keysOf(service.database).create({ name: 'of Eve Example', role: 'user', user_id: user });
}

/** Everything in the database, as one text. */
async function dump({ database: { db } }: Service): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const texts = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.raw(name)} t`.execute(db);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return texts.join('\n');
}

const costs = async (service: Service, user: string) =>
  Promise.all(
    ['summary', 'by-agent', 'timeline'].map(
      async (report) => (await service.request('GET', `/api/costs/${report}`, { user })).body,
    ),
  );

test('an erased user is nowhere in the database, and its costs stay under a pseudonym', async () => {
  const service = await startService({ env: { CALLS_PER_SECOND: '100' } });
  await fill(service, VICTIM);
  const full = await dump(service);
  for (const text of SECRETS) assert.ok(full.includes(text), `${text} was there`);
  const [summary, byAgent, timeline] = await costs(service, VICTIM);
  const { status, body } = await service.request('DELETE', `/api/users/${encodeURIComponent(VICTIM)}`);
  assert.equal(status, 200, JSON.stringify(body));
  const left = await dump(service);
  for (const text of SECRETS)
    assert.deepEqual(
      left.split('\n').filter((line) => line.includes(text)),
      [],
      `${text} is left`,
    );
  const kept = await costs(service, body.pseudonym);
  assert.deepEqual(kept[0], summary);
  assert.deepEqual(kept[2], timeline);
  assert.deepEqual(
    kept[1],
    byAgent.map((agent: object) => ({ ...agent, agent_name: 'erased' })),
  );
  assert.equal((await costs(service, VICTIM))[0].total_cost, '0');
});

test('an erasure ends live calls, releases the number, and leaves other users unchanged', async () => {
  const carrier = createSandboxCarrier();
  const service = await startService({ carrier, env: { CALLS_PER_SECOND: '100' } });
  const agent_id = await createAgent(service, { user_id: 'eve' });
  const assign = { agent_id, phone_number: '+15005550011' };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: assign })).status, 200);
  const { body: live } = await service.request('POST', '/api/calls/outbound', {
    user: 'eve',
    body: { agent_id, phone_number: PHONE },
  });
  await reaches(service, live.call_id, 'ANSWERED');
  const other = await answeredCall(service);
  const transcript = { content: 'of another user' };
  await service.request('POST', `/api/sessions/by-room/${other.room_name}/transcripts`, { body: transcript });
  const before = (await service.request('GET', `/api/sessions/${other.call_id}`)).body;
  const { body } = await service.request('DELETE', '/api/users/eve');
  assert.equal((await service.media.listRooms()).has(live.room_name), false);
  const ended = (await service.request('GET', `/api/calls/${live.call_id}`, { user: body.pseudonym })).body;
  assert.deepEqual(
    [ended.status, ended.outbound_phone_number, ended.room_name.slice(0, 7)],
    ['COMPLETED', null, 'erased-'],
  );
  const numbers = (await service.request('GET', '/api/telephony/numbers')).body.items;
  assert.equal(numbers.find((one: { phone_number: string }) => one.phone_number === '+15005550011').agent_id, null);
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).status, 404);
  assert.deepEqual((await service.request('GET', `/api/sessions/${other.call_id}`)).body, before);
  const { items } = (await service.request('GET', `/api/sessions/${other.call_id}/transcripts`)).body;
  assert.equal(items[0].content, 'of another user');
});

test('an erasure that failed at a provider is resumed under the same pseudonym', async () => {
  const sandbox = createSandboxCarrier();
  let away = true;
  const detach: typeof sandbox.detach = async (...args) => {
    if (away) throw new Error('the carrier is away');
    return sandbox.detach(...args);
  };
  const service = await startService({ carrier: { ...sandbox, detach } });
  const agent_id = await createAgent(service, { user_id: 'eve' });
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: '+15005550012' } });
  assert.equal((await service.request('DELETE', '/api/users/eve')).status, 500);
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).status, 200);
  const { failing } = (await service.request('GET', '/api/work?kind=erasure')).body;
  assert.deepEqual([failing[0].subject.slice(0, 7), failing[0].last_error], ['erased-', 'the carrier is away']);
  away = false;
  await service.request('POST', `/api/work/${failing[0].id}/retry`);
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/agents/${agent_id}`)).status, 404);
  const rows = await service.database.db.selectFrom('erasures').selectAll().execute();
  assert.deepEqual(
    rows.map(({ user_id, finished_at }) => [user_id, finished_at !== null]),
    [[null, true]],
  );
});

test('an erasure in another process is awaited for a limited time, and taken over if that process died', async () => {
  const clock = createTestClock();
  const service = await startService({ clock });
  const { db } = service.database;
  const pseudonym = 'erased-by-another';
  const isWaiting = async (asked: Promise<unknown>) =>
    Promise.race([asked.then(() => false), systemClock.sleep(300).then(() => true)]);
  await createAgent(service, { user_id: 'eve' });
  await db.insertInto('erasures').values({ pseudonym, user_id: 'eve', requested_at: clock.now() }).execute();
  const work = { id: newId(), kind: 'erasure', key: pseudonym, payload: JSON.stringify({ actor: REPAIR }) };
  const leased_until = sql<Date>`now() + interval '1 hour'`;
  const times = { due_at: clock.now(), created_at: clock.now(), leased_until };
  await db
    .insertInto('work')
    .values({ ...work, ...times })
    .execute();
  const impatient = service.request('DELETE', '/api/users/eve');
  assert.ok(await isWaiting(impatient));
  clock.advance(61_000);
  assertRefused(await impatient, 409, 'erasure_in_progress');
  await service.app.reconcile();
  assert.equal((await service.request('GET', '/api/agents/', { user: 'eve' })).body.length, 1);
  const asked = [service.request('DELETE', '/api/users/eve'), service.request('DELETE', '/api/users/eve')];
  assert.ok(await isWaiting(Promise.race(asked)));
  await db.updateTable('work').set({ leased_until: null }).execute();
  for (const { status, body } of await Promise.all(asked)) assert.deepEqual([status, body.pseudonym], [200, pseudonym]);
  assert.deepEqual((await service.request('GET', '/api/agents/', { user: 'eve' })).body, []);
});

test('erasing an unknown user, or the same user twice, succeeds', async () => {
  const service = await startService();
  const [first, second] = [
    await service.request('DELETE', '/api/users/nobody'),
    await service.request('DELETE', '/api/users/nobody'),
  ];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.notEqual(first.body.pseudonym, second.body.pseudonym);
  for (const path of ['/api/users/%00', `/api/users/${'x'.repeat(256)}`])
    assert.equal((await service.request('DELETE', path)).status, 404);
});
