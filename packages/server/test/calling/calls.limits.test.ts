/** The maximum duration that an agent's configuration gives its calls, of every direction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';

const [PHONE, CALLER, NUMBER] = ['+15005550100', '+15005550199', '+15005550010'];

const clock = createTestClock();
const service = await startService({ clock, env: { MAX_CALL_DURATION_S: '100' } });

const agentOf = (max_duration_s: unknown) => createAgent(service, { config: { limits: { max_duration_s } } });
const call = async (call_id: string): Promise<Json> =>
  (await service.request('GET', `/api/calls/${call_id}`, { user: USER })).body;

async function outbound(agent_id: string, fields: object = {}): Promise<string> {
  const body = { agent_id, phone_number: PHONE, ...fields };
  const { call_id } = (await service.request('POST', '/api/calls/outbound', { user: USER, body })).body;
  await reaches(service, call_id, 'ANSWERED');
  return call_id;
}

async function inbound(agent_id: string): Promise<string> {
  const body = { agent_id, phone_number: NUMBER };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body })).status, 200);
  const room_name = service.media.callIn(NUMBER, CALLER) ?? assert.fail('not taken');
  const { body: session } = await eventually(
    () => service.request('GET', `/api/sessions/by-room/${room_name}`),
    ({ body }) => body.call_status === 'ANSWERED',
  );
  return session.id;
}

async function browser(agent_id: string): Promise<string> {
  const { call_id } = (await service.request('POST', '/api/calls/web', { user: USER, body: { agent_id } })).body;
  await reaches(service, call_id, 'ANSWERED');
  return call_id;
}

test("calls of every direction are hung up at the agent's limit", async () => {
  const agent_id = await agentOf(10);
  const calls = [await outbound(agent_id), await inbound(agent_id), await browser(agent_id)];
  for (const call_id of calls) assert.equal((await call(call_id)).max_duration_s, 10);
  clock.advance(9_000);
  await service.app.reconcile();
  for (const call_id of calls) assert.equal((await call(call_id)).call_status, 'ANSWERED');
  clock.advance(2_000);
  await service.app.reconcile();
  for (const call_id of calls) assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'max_duration');
});

test("the shortest of the call's limit, the agent's and the setting holds", async () => {
  const [short, long] = [await agentOf(20), await agentOf(86_400)];
  const own = await Promise.all([outbound(short, { max_duration_s: 5 }), outbound(short, { max_duration_s: 90 })]);
  assert.deepEqual(
    (await Promise.all(own.map(call))).map(({ max_duration_s }) => max_duration_s),
    [5, 20],
  );
  const longest = await outbound(long);
  clock.advance(101_000);
  await service.app.reconcile();
  assert.equal((await reaches(service, longest, 'COMPLETED')).end_reason, 'max_duration');
});

test('a limit that is no number of seconds limits nothing, because any configuration is stored', async () => {
  for (const value of ['10', 1.5, 1e12, 0, -1, null])
    assert.equal((await call(await outbound(await agentOf(value)))).max_duration_s, null, String(value));
});
