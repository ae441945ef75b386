import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';

const BUSY = '+15005550001';
const ANSWERS = '+15005550101';
// The sandbox allows ten times as much, but for the limits of one call.
const GENEROUS = {
  CALLS_CONCURRENT: '1000',
  CALLS_PER_DAY: '1000',
  CALLS_BURST: '1000',
  TRANSFERS_PER_CALL: '1000',
  PHONES_PER_CALL: '100',
};

function transfer(service: Service, call_id: string, phone_number: string, type: 'WARM' | 'COLD') {
  return service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number, type } });
}

function call(service: Service, agent_id: string) {
  return service.request('POST', '/api/calls/outbound', { user: USER, body: { agent_id, phone_number: ANSWERS } });
}

/** Brings a target into the room and has the agent drop out, so that another transfer can begin. */
async function addPhone(service: Service, call_id: string): Promise<void> {
  assert.equal((await transfer(service, call_id, ANSWERS, 'WARM')).status, 200);
  const latest = (status: string) =>
    eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      ({ body }) => ['completed', status].includes(body.transfers.at(-1).status),
    );
  await latest('connected');
  // Without an agent the transfer completes by itself.
  await service.request('POST', `/api/sessions/${call_id}/transfer/complete`);
  await latest('completed');
}

test('phones dialled by transfers count towards the daily limit', async () => {
  const clock = createTestClock('2026-03-01T23:00:00.000Z');
  const service = await startService({ env: { ...GENEROUS, CALLS_PER_DAY: '1' }, clock });
  let dialled = 0;
  const { dial, refer } = service.media;
  service.media.dial = (request) => {
    dialled++;
    return dial(request);
  };
  service.media.refer = (...request) => {
    dialled++;
    return refer(...request);
  };
  const { call_id } = await answeredCall(service);
  const statuses: number[] = [];
  for (let index = 0; index < 30; index++) {
    const { status, body, headers } = await transfer(service, call_id, BUSY, index % 2 ? 'WARM' : 'COLD');
    statuses.push(status);
    if (status === 429) assert.deepEqual([body.code, headers.get('retry-after')], ['too_many_calls', '3600']);
    await eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      ({ body }) => body.transfers.every(({ status }: { status: string }) => status === 'failed'),
    );
  }
  assert.deepEqual(statuses, [502, 200, 502, 200, 502, 200, 502, 200, 502, ...Array(21).fill(429)]);
  assert.equal(dialled, 10);
  assert.equal((await call(service, await createAgent(service))).status, 429);
  clock.advance(3_600_000);
  assert.equal((await transfer(service, call_id, BUSY, 'COLD')).status, 502);
});

test('phones dialled by transfers count towards the limit per second', async () => {
  const clock = createTestClock('2026-03-01T12:00:00.000Z');
  const service = await startService({ env: { ...GENEROUS, CALLS_PER_SECOND: '1', CALLS_BURST: '1' }, clock });
  const { call_id } = await answeredCall(service);
  for (let index = 0; index < 9; index++) assert.equal((await transfer(service, call_id, BUSY, 'COLD')).status, 502);
  const refused = await transfer(service, call_id, BUSY, 'COLD');
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  clock.advance(1000);
  assert.equal((await transfer(service, call_id, BUSY, 'COLD')).status, 502);
});

test('targets of warm transfers count as concurrent calls until their room is closed', async () => {
  const service = await startService({ env: { ...GENEROUS, CALLS_CONCURRENT: '1' } });
  const agent_id = await createAgent(service);
  const { call_id } = await answeredCall(service, { agent_id });
  for (let index = 0; index < 9; index++) await addPhone(service, call_id);
  const refused = await transfer(service, call_id, ANSWERS, 'WARM');
  assert.deepEqual(
    [refused.status, refused.body.code, refused.headers.get('retry-after')],
    [429, 'too_many_calls', '5'],
  );
  assert.equal((await call(service, agent_id)).status, 429);
  await service.request('POST', `/api/calls/${call_id}/end`);
  await reaches(service, call_id, 'COMPLETED');
  assert.equal((await call(service, agent_id)).status, 201);
});

/** Has the target of the first transfer of a call hang up; the call goes on. */
async function hangUpFirst(service: Service, call_id: string, room_name: string): Promise<void> {
  const [first] = (await service.request('GET', `/api/calls/${call_id}`)).body.transfers;
  service.media.hangUp(room_name, `transfer-${first.id}`);
  const ended = () => service.database.db.selectFrom('transfers').select(['id', 'line_ended_at']).execute();
  await eventually(ended, (all) => all.some(({ id, line_ended_at }) => id === first.id && line_ended_at));
}

test('a target that has hung up after its transfer no longer counts as a phone of the call, and is billed once', async () => {
  const service = await startService({ env: { ...GENEROUS, PHONES_PER_CALL: '3' } });
  const { call_id, room_name } = await answeredCall(service);
  for (let index = 0; index < 2; index++) await addPhone(service, call_id);
  assert.equal((await transfer(service, call_id, ANSWERS, 'WARM')).body.code, 'too_many_phones');
  await hangUpFirst(service, call_id, room_name);
  await addPhone(service, call_id);
  assert.equal((await transfer(service, call_id, ANSWERS, 'WARM')).body.code, 'too_many_phones');
  await service.request('POST', `/api/calls/${call_id}/end`);
  await reaches(service, call_id, 'COMPLETED');
  const lines = await service.database.db.selectFrom('usage_events').select('event_type').execute();
  assert.equal(lines.filter(({ event_type }) => event_type === 'telephony_minutes').length, 4);
});

test('a target that has hung up after its transfer no longer counts as a concurrent call of the user', async () => {
  const service = await startService({ env: { ...GENEROUS, CALLS_CONCURRENT: '1' } });
  const agent_id = await createAgent(service);
  const { call_id, room_name } = await answeredCall(service, { agent_id });
  for (let index = 0; index < 9; index++) await addPhone(service, call_id);
  assert.equal((await call(service, agent_id)).status, 429);
  await hangUpFirst(service, call_id, room_name);
  assert.equal((await call(service, agent_id)).status, 201);
});

test('a target that does not answer stops counting', async () => {
  const service = await startService({ env: { ...GENEROUS, CALLS_CONCURRENT: '1' } });
  const { call_id } = await answeredCall(service);
  for (let index = 0; index < 8; index++) await addPhone(service, call_id);
  for (const type of ['COLD', 'COLD', 'WARM', 'WARM'] as const) {
    assert.equal((await transfer(service, call_id, BUSY, type)).status, type === 'COLD' ? 502 : 200);
    await eventually(
      () => service.request('GET', `/api/calls/${call_id}`),
      ({ body }) => body.transfers.at(-1).status === 'failed',
    );
  }
});

test('both phones of a cold transfer count as concurrent calls for COLD_TRANSFER_COUNTS_S', async () => {
  const clock = createTestClock('2026-03-01T12:00:00.000Z');
  const env = { ...GENEROUS, CALLS_CONCURRENT: '1', COLD_TRANSFER_COUNTS_S: '600' };
  const service = await startService({ env, clock });
  const agent_id = await createAgent(service);
  for (let index = 0; index < 5; index++) {
    const { call_id } = await answeredCall(service, { agent_id });
    assert.equal((await transfer(service, call_id, ANSWERS, 'COLD')).status, 200);
    await reaches(service, call_id, 'COMPLETED');
  }
  assert.deepEqual(
    [(await call(service, agent_id)).status, (await call(service, agent_id)).body.code],
    [429, 'too_many_calls'],
  );
  clock.advance(599_000);
  assert.equal((await call(service, agent_id)).status, 429);
  clock.advance(1_000);
  assert.equal((await call(service, agent_id)).status, 201);
});

test('transfers per call are limited, failed ones included', async () => {
  const service = await startService({ env: { ...GENEROUS, TRANSFERS_PER_CALL: '3' } });
  const { call_id } = await answeredCall(service);
  for (let index = 0; index < 3; index++) assert.equal((await transfer(service, call_id, BUSY, 'COLD')).status, 502);
  for (const type of ['COLD', 'WARM'] as const) {
    const { status, body } = await transfer(service, call_id, ANSWERS, type);
    assert.deepEqual([status, body.code], [409, 'too_many_transfers']);
  }
  const other = await answeredCall(service);
  assert.equal((await transfer(service, other.call_id, ANSWERS, 'COLD')).status, 200);
});

test('phones per room are limited', async () => {
  const service = await startService({ env: { ...GENEROUS, PHONES_PER_CALL: '3' } });
  const { call_id, room_name } = await answeredCall(service);
  for (let index = 0; index < 2; index++) await addPhone(service, call_id);
  const { status, body } = await transfer(service, call_id, ANSWERS, 'WARM');
  assert.deepEqual([status, body.code], [409, 'too_many_phones']);
  const present = await service.media.listParticipants(room_name);
  assert.equal(present.filter(({ kind }) => kind === 'SIP').length, 3);
  assert.equal((await transfer(service, call_id, ANSWERS, 'COLD')).status, 200, 'a referred phone leaves the room');
});

test('concurrent calls and transfers over two replicas together never exceed the limit', async () => {
  const database = await openTestDatabase();
  const env = { ...GENEROUS, CALLS_CONCURRENT: '2' };
  const replicas = [await startService({ database, env }), await startService({ database, env })] as const;
  const [first, second] = replicas;
  const agent_id = await createAgent(first);
  const calls = await Promise.all(Array.from({ length: 10 }, () => answeredCall(first, { agent_id })));
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const replica = index % 2 ? first : second;
      if (index % 5 === 0) return call(replica, agent_id);
      return transfer(replica, calls[index % 10]?.call_id ?? '', ANSWERS, 'WARM');
    }),
  );
  const accepted = answers.filter(({ status }) => status < 300).length;
  assert.equal(accepted, 10, JSON.stringify(answers.map(({ status }) => status)));
  assert.deepEqual(
    [...new Set(answers.map(({ status }) => status))].filter((status) => ![200, 201, 409, 429].includes(status)),
    [],
  );
  for (const replica of replicas) await replica.close();
  await database.close();
});
