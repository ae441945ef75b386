import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { analysesOf, analysing, saveExtractor, served } from '../support/analyses.ts';
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
