import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { lineOf, setPrices } from '../support/lines.ts';
import { watchStatements } from '../support/statements.ts';
import { begin } from '../support/web-calls.ts';

const GENEROUS = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000', CALLS_CONCURRENT: '1000' };
const TARGET = '+15005550101';
const clock = createTestClock();
const service = await startService({ clock, env: GENEROUS });
const agent_id = await createAgent(service);
await setPrices(
  service,
  [
    ['', null, '9', '60/60'],
    ['1500', 'OUTBOUND', '0.5', '60/60'],
    ['15005550', 'OUTBOUND', '0.25', '30/6'],
    ['1500555010', 'OUTBOUND', '0.125', '6/6'],
    ['1500', 'INBOUND', '0.0085', '60/60'],
  ],
  '0.004',
);

const end = (call_id: string, of: Pick<Service, 'request'> = service) =>
  of.request('POST', `/api/calls/${call_id}/end`);
const transfer = (call_id: string, type: string) =>
  service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: TARGET, type } });

/** A call to this phone that is answered. */
async function talk(phone_number: string): Promise<string> {
  const { call_id } = await placeCall(service, phone_number, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  return call_id;
}

/** A call with a warm transfer whose target has answered. */
async function talkOfThree() {
  const { call_id, room_name } = await answeredCall(service, { agent_id });
  clock.advance(10_000);
  assert.equal((await transfer(call_id, 'WARM')).status, 200);
  await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers[0].status,
    (status) => status === 'connected',
  );
  return { call_id, room_name };
}

test('an outbound call is billed once, by the longest prefix and its increments, however often it is ended', async () => {
  for (const [phone, ms, expected] of [
    ['+15005660000', 1, ['media OUTBOUND - 0.016667 × 0.004 = 0.000066668', 'telephony OUTBOUND 1500 1 × 0.5 = 0.5']],
    [
      '+15005660000',
      60_001,
      ['media OUTBOUND - 1.016667 × 0.004 = 0.004066668', 'telephony OUTBOUND 1500 2 × 0.5 = 1'],
    ],
    [
      '+15005550200',
      30_500,
      ['media OUTBOUND - 0.516667 × 0.004 = 0.002066668', 'telephony OUTBOUND 15005550 0.6 × 0.25 = 0.15'],
    ],
    [
      '+15005550100',
      12_000,
      ['media OUTBOUND - 0.2 × 0.004 = 0.0008', 'telephony OUTBOUND 1500555010 0.2 × 0.125 = 0.025'],
    ],
    ['+442079460000', 1000, ['media OUTBOUND - 0.016667 × 0.004 = 0.000066668', 'telephony OUTBOUND - 1 × 9 = 9']],
  ] as const) {
    const call_id = await talk(phone);
    clock.advance(ms);
    await Promise.all([
      end(call_id),
      end(call_id),
      service.request('PATCH', `/api/sessions/${call_id}`, { body: { duration: 0 } }),
    ]);
    await end(call_id);
    assert.deepEqual(await lineOf(service, call_id), expected, phone);
  }
});

test('figures reported by a worker or a user do not affect billing', async () => {
  const call_id = await talk('+15005660000');
  clock.advance(100_000);
  await service.request('PATCH', `/api/sessions/${call_id}`, { body: { duration: 0 } });
  await service.request('PATCH', `/api/sessions/${call_id}`, { body: { duration: 1_000_000 } });
  assert.deepEqual(await lineOf(service, call_id), [
    'media OUTBOUND - 1.666667 × 0.004 = 0.006666668',
    'telephony OUTBOUND 1500 2 × 0.5 = 1',
  ]);
});

test('unanswered calls are not billed', async () => {
  for (const [phone, status] of [
    ['+15005550001', 'FAILED'],
    ['+15005550002', 'NO_ANSWER'],
    ['+15005550004', 'FAILED'],
  ] as const) {
    const { call_id } = await placeCall(service, phone, { agent_id });
    await reaches(service, call_id, status);
    assert.deepEqual(await lineOf(service, call_id), []);
  }
  const { body } = await service.request('POST', '/api/sessions/', { body: { user_id: USER } });
  await service.request('PATCH', `/api/sessions/${body.id}`, { body: { duration: 60 } });
  assert.deepEqual(await lineOf(service, body.id), [], 'a conversation is no call');
});

test('an inbound call is billed by our own number, a call in a browser by its media alone', async () => {
  const own = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', {
    body: { agent_id: own, phone_number: '+15005550010' },
  });
  const room_name = service.media.callIn('+15005550010', '+442079460000');
  assert.ok(room_name);
  const { body } = await eventually(
    () => service.request('GET', `/api/sessions/by-room/${room_name}`),
    ({ status }) => status === 200,
  );
  await reaches(service, body.id, 'ANSWERED');
  const web = await begin(service, { agent_id });
  await reaches(service, web.call_id, 'ANSWERED');
  clock.advance(61_000);
  await end(body.id);
  await end(web.call_id);
  assert.deepEqual(await lineOf(service, body.id), [
    'media INBOUND - 1.016667 × 0.004 = 0.004066668',
    'telephony INBOUND 1500 2 × 0.0085 = 0.017',
  ]);
  assert.deepEqual(await lineOf(service, web.call_id), ['media WEB - 1.016667 × 0.004 = 0.004066668']);
});

test('the target of a warm transfer is billed from its answer to the end of the call, or until it leaves', async () => {
  const { call_id } = await talkOfThree();
  clock.advance(20_000);
  await service.request('POST', `/api/sessions/${call_id}/transfer/complete`);
  clock.advance(40_000);
  await end(call_id);
  assert.deepEqual(await lineOf(service, call_id), [
    'media OUTBOUND - 1 × 0.004 = 0.004',
    'media OUTBOUND - 1.166667 × 0.004 = 0.004666668',
    'telephony OUTBOUND 1500555010 1 × 0.125 = 0.125',
    'telephony OUTBOUND 1500555010 1.2 × 0.125 = 0.15',
  ]);
  const left = await talkOfThree();
  clock.advance(6000);
  const [target] = (await service.media.listParticipants(left.room_name)).filter(({ identity }) =>
    identity.startsWith('transfer-'),
  );
  service.media.hangUp(left.room_name, target?.identity ?? '');
  await eventually(
    () => lineOf(service, left.call_id),
    (lines) => lines.length === 2,
  );
  clock.advance(2000);
  await end(left.call_id);
  assert.deepEqual(await lineOf(service, left.call_id), [
    'media OUTBOUND - 0.1 × 0.004 = 0.0004',
    'media OUTBOUND - 0.3 × 0.004 = 0.0012',
    'telephony OUTBOUND 1500555010 0.1 × 0.125 = 0.0125',
    'telephony OUTBOUND 1500555010 0.3 × 0.125 = 0.0375',
  ]);
});

test('a cold transfer ends the line of the call, and bills the first increment of the invisible one', async () => {
  const call_id = await talk('+15005660000');
  clock.advance(30_000);
  assert.equal((await transfer(call_id, 'COLD')).status, 200);
  assert.deepEqual(await lineOf(service, call_id), [
    'media OUTBOUND - 0.5 × 0.004 = 0.002',
    'telephony OUTBOUND 1500 1 × 0.5 = 0.5',
    'telephony OUTBOUND 1500555010 0.1 × 0.125 = 0.0125',
  ]);
  const refused = await talk('+15005660000');
  const busy = { body: { phone_number: '+15005550001', type: 'COLD' } };
  assert.equal((await service.request('POST', `/api/sessions/${refused}/transfer`, busy)).status, 502);
  assert.deepEqual(await lineOf(service, refused), []);
  await end(refused);
  assert.equal((await lineOf(service, refused)).length, 2);
});

test('a line without a price is stored as unpriced, with its seconds and where it went', async () => {
  const own = await startService({ clock });
  const { call_id } = await answeredCall(own);
  clock.advance(61_000);
  await end(call_id, own);
  const seconds = '1.016667 unpriced';
  assert.deepEqual(await lineOf(own, call_id), [`media OUTBOUND - ${seconds}`, `telephony OUTBOUND 150055 ${seconds}`]);
  const { body } = await own.request('GET', '/api/costs/summary', { user: USER });
  assert.deepEqual([body.total_cost, body.by_provider], ['0', {}]);
  await setPrices(own, [['1500', null, '0.5', '60/60']], '0.004');
  const applied = await own.request('POST', '/api/prices/apply');
  assert.equal(applied.body.priced, 2, JSON.stringify(applied.body));
  assert.equal((await own.request('GET', `/api/sessions/${call_id}/costs`)).body.total_cost, '1.004066668');
});

test('a phone that answers after its call, or the call it was to join, has ended is billed nevertheless', async () => {
  const sandbox = createSandboxMedia({ clock, ringMs: 1 });
  const answers = { mayCome: Promise.resolve() };
  // A provider that learns of an answer late, and cannot hang up before.
  const media = {
    ...sandbox,
    dial: async (request: Parameters<typeof sandbox.dial>[0]) => {
      const outcome = await sandbox.dial(request, new AbortController().signal);
      await answers.mayCome;
      return outcome;
    },
  };
  const own = await startService({ clock, media });
  const wait = () => {
    const gate = Promise.withResolvers<void>();
    answers.mayCome = gate.promise;
    return gate.resolve;
  };
  let answer = wait();
  const { call_id } = await placeCall(own as unknown as Service, '+15005550100');
  await end(call_id, own);
  await reaches(own as unknown as Service, call_id, 'COMPLETED');
  assert.deepEqual(await lineOf(own as unknown as Service, call_id), []);
  answer();
  const second = '0.016667 unpriced';
  const late = [`media OUTBOUND - ${second}`, `telephony OUTBOUND 150055 ${second}`];
  const lines = (id: string, count: number) =>
    eventually(
      () => lineOf(own as unknown as Service, id),
      (found) => found.length >= count,
    );
  assert.deepEqual(await lines(call_id, 2), late);
  const talked = await answeredCall(own as unknown as Service);
  answer = wait();
  const body = { phone_number: TARGET, type: 'WARM' };
  assert.equal((await own.request('POST', `/api/sessions/${talked.call_id}/transfer`, { body })).status, 200);
  await end(talked.call_id, own);
  assert.equal((await lines(talked.call_id, 2)).length, 2);
  answer();
  assert.deepEqual(await lines(talked.call_id, 4), [late[0], late[0], late[1], late[1]]);
});

test('calls that end together are billed in two statements, and two replicas that end them bill each once', async () => {
  const database = await openTestDatabase();
  const replicas = [
    await startService({ database, env: GENEROUS }),
    await startService({ database, env: GENEROUS }),
  ] as const;
  const [first] = replicas;
  const agent = await createAgent(first);
  const ids = await Promise.all(
    Array.from({ length: 24 }, async () => (await answeredCall(first, { agent_id: agent })).call_id),
  );
  const busy = await placeCall(first, '+15005550001', { agent_id: agent });
  await reaches(first, busy.call_id, 'FAILED');
  const sent = watchStatements(database);
  const count = (text: string) => sent.filter(({ sql }) => sql.includes(text)).length;
  await Promise.all(ids.slice(0, 20).map((id) => end(id, first)));
  assert.ok(count('insert into usage_events') <= count('insert into session_events'));
  assert.equal(count('from prices'), count('insert into usage_events'));
  assert.ok(count('insert into usage_events') < 20, 'some shared a transaction');
  await Promise.all(ids.slice(20).flatMap((id) => replicas.map((replica) => end(id, replica))));
  for (const id of ids) assert.equal((await lineOf(first, id)).length, 2);
  for (const replica of replicas) await replica.close();
  await database.close();
});
