import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { listen } from '@switchboard/testkit/event-stream.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { keysOf } from '@switchboard/testkit/keys.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { readJob, watchRooms } from '@switchboard/testkit/worker-jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { type Asked, begin, isThere, statusOf } from '../support/web-calls.ts';

const service = await startService();
const rooms = watchRooms(service.media);
const receiver = await startReceiver();
const behaving = (sandbox: string) => ({ metadata: { sandbox } });

/** A service that hears of nothing, with a clock of its own. */
async function deafService(env: Record<string, string> = {}) {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const deaf = await startService({ clock, media: { ...media, subscribe: () => {} }, env });
  return { clock, deaf, media };
}

test('a call in a browser begins once browser and agent are there, and ends when the browser leaves', async () => {
  const agent_id = await createAgent(service, { config: { greeting: 'Hello' } });
  const begun = await begin(service, { agent_id, variables: { name: 'Ada' }, metadata: { from: 'pricing' } });
  assert.match(begun.room_name, /^web-/);
  assert.match(begun.url, /^wss:/);
  const left = Date.parse(begun.expires_at) - Date.now();
  assert.ok(left > 0 && left <= 60_000, String(left));
  const call = await reaches(service, begun.call_id, 'ANSWERED');
  assert.deepEqual(
    [call.status, call.direction, call.call_direction, call.from_number, call.to_number],
    ['ACTIVE', 'WEB', null, null, null],
  );
  assert.deepEqual([call.variables, call.metadata], [{ name: 'Ada' }, { from: 'pricing' }]);
  assert.deepEqual(
    call.timeline.map((entry: Json) => [entry.status, entry.call_status]),
    [
      ['CREATED', 'RINGING'],
      ['ACTIVE', 'ANSWERED'],
    ],
  );
  const given = rooms.get(begun.room_name);
  const job = await readJob(service, given?.agent_metadata ?? '');
  assert.deepEqual(
    [job.session_id, job.direction, job.from_number, job.to_number, job.config],
    [begun.call_id, 'WEB', null, null, { greeting: 'Hello' }],
  );
  assert.deepEqual([job.variables, job.metadata], [{ name: 'Ada' }, { from: 'pricing' }]);
  assert.deepEqual(JSON.parse(given?.room_metadata ?? ''), { agentId: agent_id, sessionId: begun.call_id });
  const { body: session } = await service.request('GET', `/api/sessions/${begun.call_id}`);
  assert.deepEqual([session.call_direction, session.call_status, session.status], [null, 'ANSWERED', 'ACTIVE']);
  const { items } = (await service.request('GET', '/api/calls/', { user: USER })).body;
  assert.equal(items.find((item: Json) => item.call_id === begun.call_id).direction, 'WEB');
  await service.media.removeParticipant(begun.room_name, 'browser');
  const ended = await reaches(service, begun.call_id, 'COMPLETED');
  assert.equal(ended.end_reason, 'hangup');
  await eventually(
    () => service.media.listRooms(),
    (open) => !open.has(begun.room_name),
  );
});

for (const [behavior, call_status, end_reason] of [
  ['browser_leaves', 'COMPLETED', 'hangup'],
  ['agent_leaves', 'COMPLETED', 'hangup'],
  ['browser_is_lost', 'FAILED', 'media_lost'],
] as const)
  test(`metadata.sandbox ${behavior} ends the call as ${end_reason}`, async () => {
    const { call_id } = await begin(service, behaving(behavior));
    const call = await reaches(service, call_id, call_status);
    assert.equal(call.end_reason, end_reason);
    assert.ok(call.started_at && call.duration > 0.5, JSON.stringify(call));
  });

test('an agent that never joins fails the call, and so does a browser', async () => {
  const { clock, deaf, media } = await deafService();
  const without = async (behavior: string) => begin(deaf, behaving(behavior));
  const [agentless, browserless] = [await without('agent_never_joins'), await without('browser_never_joins')];
  await isThere(media, agentless.room_name, 'browser');
  clock.advance(19_000);
  await deaf.app.reconcile();
  assert.deepEqual(
    [await statusOf(deaf, agentless.call_id), await statusOf(deaf, browserless.call_id)],
    ['RINGING', 'RINGING'],
  );
  clock.advance(2_000);
  await deaf.app.reconcile();
  assert.equal((await reaches(deaf, agentless.call_id, 'FAILED')).end_reason, 'agent_never_joined');
  assert.equal(await statusOf(deaf, browserless.call_id), 'RINGING');
  clock.advance(40_000);
  await deaf.app.reconcile();
  const given_up = await reaches(deaf, browserless.call_id, 'FAILED');
  assert.deepEqual([given_up.end_reason, given_up.duration, given_up.status], ['browser_never_joined', 0, 'FAILED']);
  await eventually(
    () => media.listRooms(),
    (open) => open.size === 0,
  );
});

test('a call of which no event tells is found to have begun, and to be over', async () => {
  const { clock, deaf, media } = await deafService();
  const [leaves, stays, closes] = [await begin(deaf), await begin(deaf, { max_duration_s: 60 }), await begin(deaf)];
  for (const { room_name } of [leaves, stays, closes]) await isThere(media, room_name, 'browser');
  await deaf.app.reconcile();
  for (const { call_id } of [leaves, stays, closes]) assert.equal(await statusOf(deaf, call_id), 'ANSWERED');
  await media.removeParticipant(leaves.room_name, 'browser');
  await media.closeRoom(closes.room_name);
  await deaf.app.reconcile();
  assert.equal(await statusOf(deaf, leaves.call_id), 'ANSWERED', 'the event may be on its way');
  clock.advance(6_000);
  await deaf.app.reconcile();
  assert.equal((await reaches(deaf, leaves.call_id, 'COMPLETED')).end_reason, 'hangup');
  assert.equal((await reaches(deaf, closes.call_id, 'COMPLETED')).end_reason, 'room_ended');
  assert.equal(await statusOf(deaf, stays.call_id), 'ANSWERED');
  clock.advance(55_000);
  await deaf.app.reconcile();
  assert.equal((await reaches(deaf, stays.call_id, 'COMPLETED')).end_reason, 'max_duration');
});

test('a browser that leaves before the agent joins cancels the call', async () => {
  const { call_id, room_name } = await begin(service, behaving('agent_never_joins'));
  await isThere(service.media, room_name, 'browser');
  await service.media.removeParticipant(room_name, 'browser');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'canceled');
});

test('a listener with another token neither starts the call nor keeps it open', async () => {
  const { call_id, room_name } = await begin(service, behaving('browser_never_joins'));
  const listener = { identity: 'web-1', kind: 'STANDARD' };
  const event = (name: string, participant: object) =>
    service.request('POST', '/api/media/webhook', {
      body: { event: name, id: `EV_${Math.random()}`, room: { name: room_name }, participant },
    });
  await event('participant_joined', listener);
  await event('participant_left', listener);
  await service.app.reconcile();
  assert.equal(await statusOf(service, call_id), 'RINGING');
  await service.request('POST', `/api/calls/${call_id}/end`);
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'canceled');
});

test('a browser that joins once the call has ended is sent away', async () => {
  const { call_id, room_name } = await begin(service);
  await reaches(service, call_id, 'ANSWERED');
  await service.request('POST', `/api/calls/${call_id}/end`);
  await eventually(
    () => service.media.listRooms(),
    (open) => !open.has(room_name),
  );
  await service.media.createRoom({ room_name, agent_metadata: '{}' });
  await service.media.createToken(room_name, 'browser', 60);
  await eventually(
    () => service.media.listRooms(),
    (open) => !open.has(room_name),
  );
});

test('callbacks tell of a call in a browser as of a phone call', async () => {
  const { call_id } = await begin(service, { ...behaving('browser_leaves'), callback_url: `${receiver.url}/web` });
  await reaches(service, call_id, 'COMPLETED');
  const received = await eventually(
    async () => receiver.at('/web'),
    ({ length }) => length === 2,
  );
  const bodies = received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    bodies.map(({ type, data }) => [type, data.call_id, data.direction, data.call_direction]),
    [
      ['call.answered', call_id, 'WEB', null],
      ['call.completed', call_id, 'WEB', null],
    ],
  );
});

test('the page follows its call by events_url without a key, and no other call', async () => {
  const database = await openTestDatabase();
  const locked = await startService({ database, env: { AUTH_MODE: 'required' } });
  after(() => Promise.all([locked.close(), database.close()]));
  const { key } = await keysOf(database).create({ name: 'x', role: 'service' });
  const headers = { authorization: `Bearer ${key}` };
  const on: Asked = { request: (method, path, wanted) => locked.request(method, path, { ...wanted, headers }) };
  const [one, other] = [await begin(on, behaving('browser_leaves')), await begin(on)];
  const stream = await listen(`${locked.url}${one.events_url}`);
  const events = await stream.until((all) => all.some(({ data }) => data.call_status === 'COMPLETED'));
  assert.deepEqual(
    events.map(({ data }) => [data.call_status, data.direction]),
    [
      ['RINGING', 'WEB'],
      ['ANSWERED', 'WEB'],
      ['COMPLETED', 'WEB'],
    ],
  );
  const foreign = one.events_url.replace(one.call_id, other.call_id);
  assert.equal((await fetch(`${locked.url}${foreign}`)).status, 401);
});

test('a browser cannot be referred to another phone; the target is dialled into its room', async () => {
  const { call_id, room_name } = await begin(service);
  await reaches(service, call_id, 'ANSWERED');
  const transfer = (body: object) =>
    service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: '+15005550101', ...body } });
  const cold = await transfer({ type: 'COLD' });
  assert.deepEqual([cold.status, cold.body.detail[0].loc], [422, ['body', 'type']]);
  const warm = await transfer({});
  assert.deepEqual([warm.status, warm.body.transfer_type], [200, 'WARM']);
  const connected = (call: Json) => call.transfers[0]?.status === 'connected';
  await eventually(async () => (await service.request('GET', `/api/calls/${call_id}`)).body, connected);
  await service.media.removeParticipant(room_name, 'agent');
  await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body,
    ({ transfers }) => transfers[0].status === 'completed',
  );
  assert.equal(await statusOf(service, call_id), 'ANSWERED');
  const target = (await service.media.listParticipants(room_name)).find(({ kind }) => kind === 'SIP');
  service.media.hangUp(room_name, target?.identity ?? '');
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});
