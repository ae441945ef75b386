import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { readJob, watchRooms } from '@switchboard/testkit/worker-jobs.ts';
import { chooseArm } from '../../src/conversations/agents/arms.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { watchStatements } from '../support/statements.ts';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const OURS = '+15005550010';
const receiver = await startReceiver();
const service = await startService({
  env: { CALLS_BURST: '1000', CALLS_CONCURRENT: '1000', CALLBACK_ALLOW_PRIVATE: 'true' },
});
const rooms = watchRooms(service.media);
const jobOf = (room_name: string) => readJob(service, rooms.get(room_name)?.agent_metadata ?? '');
const start = (where: 'web' | 'outbound', body: object) =>
  service.request('POST', `/api/calls/${where}`, { user: USER, body });
const callOf = async (call_id: string, of: Service = service) =>
  (await of.request('GET', `/api/calls/${call_id}`)).body;

/** An agent whose calls get its night or its morning version, by their number. */
async function splitAgent(on: Service = service) {
  const agent = await nightAgent(on, USER);
  const number = await agent.made(MORNING);
  const arms = [
    { version: 1, weight: 50 },
    { version: number, weight: 50 },
  ];
  await agent.release([1, 50], [number, 50]);
  /** The version of a phone number. */
  const expected = (phone: string) => chooseArm(arms, agent.id, phone);
  const phones = Array.from({ length: 20 }, (_, index) => `+150055501${String(index).padStart(2, '0')}`);
  const phoneOf = (version: number) => phones.find((phone) => expected(phone) === version) ?? assert.fail('none');
  return { ...agent, number, expected, phoneOf };
}

const configOf = (version: number) => (version === 1 ? NIGHT : MORNING);

test('an outbound call gets the version of its number, again and again, and says which', async () => {
  const { id, phoneOf, number } = await splitAgent();
  for (const version of [1, number, 1, number]) {
    const { call_id, room_name } = await placeCall(service, phoneOf(version), { agent_id: id });
    const job = await jobOf(room_name);
    assert.deepEqual([job.agent_version, job.config], [version, configOf(version)]);
    assert.equal((await callOf(call_id)).agent_version, version);
  }
});

test('calls placed at once, some for one version each, get theirs', async () => {
  const { id, phoneOf, number } = await splitAgent();
  const wanted = [undefined, 1, number, undefined, 1, null];
  const answers = await Promise.all(
    wanted.map((agent_version) =>
      start('outbound', { agent_id: id, agent_version, phone_number: phoneOf(agent_version === 1 ? number : 1) }),
    ),
  );
  const versions = await Promise.all(answers.map(async ({ body }) => (await callOf(body.call_id)).agent_version));
  assert.deepEqual(versions, [1, 1, number, 1, 1, 1]);
});

test('a version that the agent has not is a 422, and a draft is for browsers alone', async () => {
  const { id } = await nightAgent(service, USER);
  const phone_number = '+15005550100';
  for (const where of ['outbound', 'web'] as const) {
    const body = { agent_id: id, ...(where === 'outbound' && { phone_number }), agent_version: 7 };
    assert.deepEqual(problemsOf(await start(where, body)), ['body.agent_version value_error']);
  }
  const draft = await start('outbound', { agent_id: id, phone_number, agent_version: 'draft' });
  assert.deepEqual(problemsOf(draft), ['body.agent_version int_type']);
  assertRefused(
    await start('web', { agent_id: '01980000-0000-7000-8000-000000000000', agent_version: 'draft' }),
    404,
    'not_found',
  );
});

test('a draft that is talked to is a version, which no other call gets', async () => {
  const { id, send, arms } = await nightAgent(service, USER);
  await send('PUT', '/draft', { name: 'Trial', config: { ...MORNING, llm: { provider: 'not checked yet' } } });
  const { body } = await start('web', { agent_id: id, agent_version: 'draft' });
  const job = await jobOf(body.room_name);
  assert.deepEqual([job.agent_version, job.agent_name, job.config.greeting], [2, 'Trial', MORNING.greeting]);
  assert.equal((await callOf(body.call_id)).agent_version, 2);
  assert.deepEqual(await arms(), [{ version: 1, weight: 100 }]);
  assert.equal((await send('GET', '/versions/2')).body.released_at, null);
  const again = await start('web', { agent_id: id, agent_version: 'draft' });
  assert.equal((await callOf(again.body.call_id)).agent_version, 2);
  await send('PUT', '/draft', { name: 'Desk', config: NIGHT });
  const none = await start('web', { agent_id: id, agent_version: 'draft' });
  assert.equal((await callOf(none.body.call_id)).agent_version, 1);
});

test('a browser call gets one version by name', async () => {
  const { id, number } = await splitAgent();
  for (const version of [1, number]) {
    const { body } = await start('web', { agent_id: id, agent_version: version });
    assert.deepEqual((await jobOf(body.room_name)).config, configOf(version));
  }
});

test('a call keeps its version, whatever is released meanwhile: its job, and the type of its transfers', async () => {
  const agent = await nightAgent(service, USER);
  const cold = { ...NIGHT, transfer: { type: 'COLD' } };
  await agent.send('PATCH', '', { config: { ...NIGHT, transfer: { type: 'WARM' } } });
  const { call_id, room_name } = await placeCall(service, '+15005550100', { agent_id: agent.id });
  await reaches(service, call_id, 'ANSWERED');
  await agent.send('PATCH', '', { config: cold, name: 'Renamed' });
  const { job, agent_changed } = (await service.request('GET', `/api/calls/${call_id}/job`)).body;
  assert.deepEqual([job, agent_changed], [await jobOf(room_name), false]);
  const transfer = await service.request('POST', `/api/sessions/${call_id}/transfer`, {
    body: { phone_number: '+15005550101' },
  });
  assert.equal(transfer.body.transfer_type, 'WARM');
  assert.equal((await callOf(call_id)).agent_version, 2);
});

test('lists, the file of calls and callbacks say which version a call had', async () => {
  const { id, phoneOf, number } = await splitAgent();
  const callback_url = `${receiver.url}/version`;
  const { call_id } = await placeCall(service, phoneOf(number), { agent_id: id, callback_url });
  const list = await service.request('GET', `/api/calls/?agent_id=${id}`, { user: USER });
  assert.deepEqual(
    list.body.items.map((call: { agent_version: number }) => call.agent_version),
    [number],
  );
  const file = await service.request('GET', `/api/calls/export?agent_id=${id}`, {
    user: USER,
    headers: { accept: 'text/csv' },
  });
  const [columns = '', row = ''] = String(file.body).split('\r\n');
  assert.equal(row.split(',')[columns.split(',').indexOf('agent_version')], String(number));
  await service.request('POST', `/api/calls/${call_id}/end`);
  const received = await eventually(
    async () => receiver.received.filter(({ path }) => path === '/version'),
    (all) => all.length > 0,
  );
  assert.equal(JSON.parse(received[0]?.body ?? '').data.agent_version, number);
});

test('a conversation has the version of its beginning, although its agent is called into it later', async () => {
  const { id, send, number } = await splitAgent();
  const { body: session } = await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id: id } });
  const version = (
    await service.database.db
      .selectFrom('sessions')
      .select('agent_version')
      .where('id', '=', session.id)
      .executeTakeFirst()
  )?.agent_version;
  assert.ok(version === 1 || version === number);
  await send('PATCH', '', { config: { greeting: 'Something else' } });
  await service.request('POST', '/api/media/token', { user: USER, body: { session_id: session.id } });
  const job = await jobOf(session.room_name);
  assert.deepEqual([job.agent_version, job.config], [version, configOf(version ?? 0)]);
});

test('an inbound call has the version of its caller, and so has a worker that is dispatched into it again', async () => {
  const database = await openTestDatabase();
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const jobs: { agent_version: number; config: object }[] = [];
  // A worker that takes its time.
  const dispatchAgent = async ({ agent_metadata }: { agent_metadata: string }) =>
    void jobs.push(JSON.parse(agent_metadata));
  const slow = await startService({ database, clock, media: { ...media, dispatchAgent } });
  const { id, phoneOf, number, send } = await splitAgent(slow);
  await slow.request('POST', '/api/telephony/numbers/assign', { body: { agent_id: id, phone_number: OURS } });
  const room = media.callIn(OURS, phoneOf(number)) ?? assert.fail('not taken');
  const dispatched = (count: number) =>
    eventually(
      async () => jobs.length,
      (found) => found >= count,
    );
  await dispatched(1);
  await send('PATCH', '', { config: { greeting: 'Something else' } });
  clock.advance(8_000);
  await slow.app.reconcile();
  await dispatched(2);
  for (const job of jobs) assert.deepEqual([job.agent_version, job.config], [number, MORNING]);
  const rows = database.db.selectFrom('sessions').select('agent_version').where('room_name', '=', room);
  assert.deepEqual(await rows.execute(), [{ agent_version: number }]);
  await slow.close();
  await database.close();
});

test('the agent of a number is looked up as it is shown, and not by chance', async () => {
  const { id, agent } = await splitAgent();
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id: id, phone_number: OURS } });
  for (let round = 0; round < 8; round++) {
    const { body } = await service.request('GET', `/api/telephony/lookup?phone_number=${encodeURIComponent(OURS)}`);
    assert.deepEqual(body.config, (await agent()).config);
  }
});

// The embedded database has one connection: nothing else is sent within a transaction.
if (!process.env.TEST_DATABASE_URL)
  test('choosing between two versions adds no statement to placing a call', async () => {
    const { id, release, number, phoneOf } = await splitAgent();
    const sent = watchStatements(service.database);
    const placing = async (version: number) => {
      sent.length = 0;
      const { call_id } = await placeCall(service, phoneOf(version), { agent_id: id });
      assert.equal((await callOf(call_id)).agent_version, version);
      const texts = sent.map(({ sql }) => sql);
      const at = texts.findIndex((text) => text.includes('share_agents'));
      return texts.slice(at, texts.indexOf('commit', at) + 1);
    };
    const split = [await placing(1), await placing(number)];
    await release([number, 100]);
    const alone = await placing(number);
    assert.ok(alone.length > 3, alone.join());
    assert.deepEqual(split, [alone, alone]);
  });
