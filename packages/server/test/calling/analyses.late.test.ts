import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { timeIds } from '../../src/lib/ids.ts';
import {
  analysesOf,
  analysing,
  claim,
  complete,
  endedCall,
  resultOf,
  saveExtractor,
  served,
} from '../support/analyses.ts';
import { send } from '../support/tests.ts';

const receiver = await startReceiver();
const clock = createTestClock();
const service = await served({ clock, env: { CALL_REPORT_DELAY_S: '30' } });
timeIds(() => clock.now().getTime());
clock.advance(60_000);
after(async () => {
  timeIds(Date.now);
  await service.close();
  await receiver.close();
});

await saveExtractor(service, 'visit');
const agent_id = await analysing(service, ['visit'], { report_waits_for_analyses: true });
const pass = async (seconds: number) => {
  clock.advance(seconds * 1000);
  await service.app.reconcile();
};
const work = () => service.database.db.selectFrom('work').select('key').where('kind', '=', 'call_analyses').execute();

test('a call whose first words come late is analysed, and the report of one without any waits for none', async () => {
  const call = await answeredCall(service, { agent_id, callback_url: `${receiver.url}/own` });
  const silent = await answeredCall(service, { agent_id, callback_url: `${receiver.url}/silent` });
  for (const { call_id } of [call, silent]) await send(service, 'POST', `/api/calls/${call_id}/end`);
  await pass(31);
  await eventually(
    async () => receiver.at('/silent').map(({ body }) => JSON.parse(body).type),
    (types) => types.includes('call.report'),
  );
  const path = `/api/sessions/by-room/${call.room_name}/transcripts`;
  assert.equal((await send(service, 'POST', path, { content: 'Hello.' })).status, 201);
  assert.deepEqual(await analysesOf(service, call.call_id), []);
  await pass(15 * 60);
  await eventually(
    () => analysesOf(service, call.call_id),
    ({ length }) => length === 1,
  );
  await eventually(work, ({ length }) => length === 0);
  assert.deepEqual(await analysesOf(service, silent.call_id), []);
});

test('an analysis that is asked for as soon as a call has ended has the words that come within the delay', async () => {
  const plain = await createAgent(service, { config: {} });
  const { call_id, room_name } = await endedCall(service, plain);
  const ask = () => send(service, 'POST', `/api/calls/${call_id}/analyses`, { extractors: ['visit'] });
  const say = (content: string) => send(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, { content });
  const due = async (wait_s: number) =>
    (await claim(service, { wait_s, capacity: 9 })).filter(({ payload }) => payload.call_id === call_id);
  const heard = async () => {
    const tasks = await due(30);
    for (const task of tasks) assert.equal((await complete(service, task, resultOf({}))).status, 200);
    return tasks.map(({ payload }) => payload.transcript.at(-1).content);
  };
  await saveExtractor(service, 'earlier');
  const backfill = { extractor: 'earlier', filter: { agent_id: plain }, estimate: false };
  assert.equal((await ask()).status, 202);
  assert.equal((await send(service, 'POST', '/api/analyses/backfill', backfill)).status, 201);
  await eventually(
    () => analysesOf(service, call_id),
    ({ length }) => length === 2,
  );
  await pass(20);
  assert.equal((await say('One more thing.')).status, 201);
  assert.deepEqual(await due(0), []);
  await pass(11);
  assert.deepEqual(await heard(), ['One more thing.', 'One more thing.']);
  await say('And another.');
  assert.equal((await ask()).status, 202);
  await pass(29);
  await say('The last one.');
  assert.deepEqual(await due(0), [], 'the same again');
  await pass(2);
  assert.deepEqual(await heard(), ['The last one.']);
});

test('a backfill that is canceled leaves a call the analysis that its agent asks for', async () => {
  const calls = [await endedCall(service, agent_id), await endedCall(service, await createAgent(service))] as const;
  const backfill = { extractor: 'visit', filter: {}, estimate: false };
  const { backfill_id } = (await send(service, 'POST', '/api/analyses/backfill', backfill)).body;
  const path = `/api/analyses/backfills/${backfill_id}`;
  const queued = async () => (await send(service, 'GET', path)).body.queued;
  await eventually(queued, (count) => count === 2);
  await pass(31);
  await eventually(queued, (count) => count === 1);
  assert.equal((await send(service, 'POST', `${path}/cancel`)).body.queued, 0);
  const made = (await claim(service, { capacity: 9 })).map(({ payload }) => payload.call_id);
  assert.deepEqual(
    calls.map(({ call_id }) => made.includes(call_id)),
    [true, false],
  );
  assert.deepEqual(await analysesOf(service, calls[1].call_id), []);
});
