import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { readJob, watchRooms } from '@switchboard/testkit/worker-jobs.ts';

const PHONE = '+15005550100';
const VARIABLES = { name: 'Ada', order: 4711, share: 0.5, express: true };
const METADATA = { crm: { id: 'C-17', tags: ['vip'] } };

const service = await startService({ env: { MAX_CALL_DURATION_S: '3600', RINGING_TIMEOUT_S: '30' } });
const rooms = watchRooms(service.media);

async function start(body: Json) {
  return service.request('POST', '/api/calls/outbound', { user: USER, body });
}

async function agentWith(phone_number: string, fields: object = {}): Promise<string> {
  const agent_id = await createAgent(service, fields);
  const { status } = await service.request('POST', '/api/telephony/numbers/assign', {
    body: { agent_id, phone_number },
  });
  assert.equal(status, 200);
  return agent_id;
}

async function jobOf(room_name: string): Promise<Json> {
  return readJob(service, rooms.get(room_name)?.agent_metadata ?? '');
}

async function numberShown(room_name: string) {
  const present = await service.media.listParticipants(room_name);
  return present.find(({ kind }) => kind === 'SIP')?.phone?.our_number;
}

test('variables, metadata and numbers of a call are stored, shown, and passed to its worker as the published schema says', async () => {
  const agent_id = await createAgent(service, { config: { greeting: 'Hello {{name}}' } });
  const data = { variables: VARIABLES, metadata: METADATA, max_duration_s: 60, ringing_timeout_s: 20 };
  const answer = await start({ agent_id, phone_number: PHONE, ...data });
  assert.equal(answer.status, 201);
  const { call_id, room_name, ...others } = answer.body;
  assert.deepEqual(others, { status: 'RINGING' });
  const call = await reaches(service, call_id, 'ANSWERED');
  for (const [field, value] of Object.entries(data)) assert.deepEqual(call[field], value, field);
  assert.deepEqual([call.direction, call.from_number, call.to_number], ['OUTBOUND', null, PHONE]);
  assert.deepEqual(await jobOf(room_name), {
    version: 1,
    session_id: call_id,
    room_name,
    user_id: USER,
    agent_id,
    agent_name: 'Front desk',
    agent_version: 1,
    config: { greeting: 'Hello {{name}}' },
    direction: 'OUTBOUND',
    from_number: null,
    to_number: PHONE,
    variables: VARIABLES,
    metadata: METADATA,
  });
  const shown = await service.request('GET', `/api/calls/${call_id}/job`, { user: USER });
  assert.deepEqual(shown.body, { job: await jobOf(room_name), agent_changed: false });
  const found = JSON.parse(rooms.get(room_name)?.room_metadata ?? '');
  assert.deepEqual(found, { agentId: agent_id, sessionId: call_id });
});

test('a call chooses whether it is recorded, within what its agent allows, and its worker is told at every dispatch', async () => {
  const consent = { type: 'verbal' };
  const recorded = await createAgent(service, { config: { recording: { enabled: true, consent } } });
  const allowed = await createAgent(service, { config: { recording: { enabled: false, consent } } });
  const never = await createAgent(service, { config: {} });
  for (const path of ['/api/calls/outbound', '/api/calls/web']) {
    const send = (agent_id: string, record: unknown) => {
      const body = { agent_id, record, ...(path.endsWith('outbound') && { phone_number: PHONE }) };
      return service.request('POST', path, { user: USER, body });
    };
    for (const [agent_id, record, recording] of [
      [recorded, null, { enabled: true, consent }],
      [recorded, false, { enabled: false, consent }],
      [allowed, undefined, { enabled: false, consent }],
      [allowed, true, { enabled: true, consent }],
      [never, false, undefined],
    ] as const) {
      const { status, body } = await send(agent_id, record);
      assert.equal(status, 201);
      assert.deepEqual((await jobOf(body.room_name)).config.recording, recording);
      const { job } = (await service.request('GET', `/api/calls/${body.call_id}/job`, { user: USER })).body;
      assert.deepEqual(job.config.recording, recording);
      const shown = (await service.request('GET', `/api/calls/${body.call_id}`, { user: USER })).body;
      assert.equal(shown.record, record ?? null);
    }
    for (const [agent_id, record] of [
      [never, true],
      [recorded, 'yes'],
    ] as const) {
      const { status, body } = await send(agent_id, record);
      assert.equal(status, 422);
      assert.deepEqual(body.detail[0].loc.at(-1), 'record');
    }
  }
});

test('the API description has the schema of the job that is published', async () => {
  const { body: published } = await service.request('GET', '/api/schemas/worker-job');
  const { components } = (await service.request('GET', '/openapi.json')).body;
  const { required, properties } = components.schemas.WorkerJob;
  assert.deepEqual([required, Object.keys(properties)], [published.required, Object.keys(published.properties)]);
  assert.ok(required.length > 10);
});

test('the job of a call is of its version, whatever its agent has become, and is gone with the agent', async () => {
  const { call_id, room_name } = await placeCall(service, PHONE);
  const before = await jobOf(room_name);
  const job = () => service.request('GET', `/api/calls/${call_id}/job`, { user: USER });
  await service.request('PATCH', `/api/agents/${before.agent_id}`, { body: { config: { greeting: 'Bonjour' } } });
  const { body } = await job();
  assert.deepEqual(body, { job: before, agent_changed: false });
  // A call of an earlier release.
  await service.database.db.updateTable('sessions').set({ agent_version: null }).where('id', '=', call_id).execute();
  const now = { ...before, agent_version: 2, config: { greeting: 'Bonjour' } };
  assert.deepEqual((await job()).body, { job: now, agent_changed: true });
  const stranger = await service.request('GET', `/api/calls/${call_id}/job`, { user: 'stranger' });
  assert.deepEqual([stranger.status, stranger.body.code], [404, 'not_found']);
  await service.request('POST', `/api/calls/${call_id}/end`);
  await service.request('DELETE', `/api/agents/${before.agent_id}`);
  assert.equal((await job()).status, 404);
});

test('a call without them has empty objects, and the limits of the settings', async () => {
  const { call_id, room_name } = await placeCall(service, PHONE);
  const { variables, metadata, ringing_timeout_s, max_duration_s } = await reaches(service, call_id, 'ANSWERED');
  assert.deepEqual([variables, metadata, ringing_timeout_s, max_duration_s], [{}, {}, null, null]);
  const job = await jobOf(room_name);
  assert.deepEqual([job.variables, job.metadata], [{}, {}]);
});

test('null is the same as leaving a field out', async () => {
  const agent_id = await createAgent(service);
  const nothing = { variables: null, metadata: null, from_number: null, ringing_timeout_s: null, max_duration_s: null };
  const { status, body } = await start({ agent_id, phone_number: PHONE, ...nothing });
  assert.equal(status, 201);
  const call = await reaches(service, body.call_id, 'ANSWERED');
  assert.deepEqual([call.variables, call.from_number, call.max_duration_s], [{}, null, null]);
});

test("the callee is shown the agent's number, or the requested one of the user's numbers", async () => {
  const [own, another] = ['+15005550010', '+15005550011'];
  const agent_id = await agentWith(own);
  await agentWith(another, { name: 'Back office' });
  for (const [from_number, shown] of [
    [undefined, own],
    [own, own],
    [another, another],
  ]) {
    const { body } = await start({ agent_id, phone_number: PHONE, ...(from_number && { from_number }) });
    const call = await reaches(service, body.call_id, 'ANSWERED');
    assert.deepEqual([call.from_number, await numberShown(body.room_name)], [shown, shown]);
    assert.equal((await jobOf(body.room_name)).from_number, shown);
  }
});

test("another user's number, or an unassigned one, is refused, and the call does not count", async () => {
  await agentWith('+15005550012', { user_id: 'somebody-else' });
  const agent_id = await createAgent(service, { user_id: 'spender' });
  const place = (body: object) =>
    service.request('POST', '/api/calls/outbound', {
      user: 'spender',
      body: { agent_id, phone_number: PHONE, ...body },
    });
  for (const from_number of ['+15005550012', '+15005550019']) {
    const { status, body } = await place({ from_number });
    assert.equal(status, 422);
    assert.deepEqual(body.detail[0].loc, ['body', 'from_number']);
  }
  const allowance = service.database.db.selectFrom('call_allowances').selectAll().where('user_id', '=', 'spender');
  assert.deepEqual(await allowance.execute(), []);
  // Others of the same batch go on.
  const answers = await Promise.all([place({ from_number: '+15005550012' }), place({}), place({})]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422]);
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, n]));
/** JSON of exactly so many bytes. */
const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

test('variables and metadata are limited', async () => {
  const agent_id = await createAgent(service, { user_id: 'bounds' });
  for (const [fields, expected] of [
    [{ variables: many(64) }, null],
    [{ variables: many(65) }, 'variables too_long'],
    [{ variables: sized(16_384) }, null],
    [{ variables: sized(16_385) }, 'variables too_long'],
    [{ metadata: sized(16_384) }, null],
    [{ metadata: sized(16_385) }, 'metadata too_long'],
    [{ variables: { a: null } }, 'variables.a value_error'],
    [{ variables: { a: { b: 1 } } }, 'variables.a value_error'],
    [{ variables: [1] }, 'variables dict_type'],
    [{ variables: { a: 'nul\u0000' } }, 'variables.a string_nul'],
    [{ metadata: 'text' }, 'metadata dict_type'],
    [{ from_number: '12' }, 'from_number string_pattern_mismatch'],
    [{ ringing_timeout_s: 0 }, 'ringing_timeout_s greater_than_equal'],
    [{ ringing_timeout_s: 30 }, null],
    [{ ringing_timeout_s: 31 }, 'ringing_timeout_s less_than_equal'],
    [{ max_duration_s: 3600 }, null],
    [{ max_duration_s: 3601 }, 'max_duration_s less_than_equal'],
    [{ max_duration_s: 1.5 }, 'max_duration_s int_type'],
  ] as const) {
    const body = { agent_id, phone_number: '+15005550001', ...fields };
    const answer = await service.request('POST', '/api/calls/outbound', { user: 'bounds', body });
    const problems = answer.status === 422 ? answer.body.detail : [];
    const found = problems.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.slice(1).join('.')} ${type}`);
    const about = JSON.stringify(fields).slice(0, 80);
    assert.deepEqual([answer.status, found], expected === null ? [201, []] : [422, [expected]], about);
  }
});

test('a phone rings no longer than ringing_timeout_s', async () => {
  const patient = await startService({ env: { SANDBOX_RING_MS: '60000' } });
  const agent_id = await createAgent(patient);
  const { body } = await patient.request('POST', '/api/calls/outbound', {
    user: USER,
    body: { agent_id, phone_number: PHONE, ringing_timeout_s: 1 },
  });
  assert.equal((await reaches(patient, body.call_id, 'NO_ANSWER')).end_reason, 'no_answer');
});

test('a call is hung up at its own max_duration_s, and others continue', async () => {
  const clock = createTestClock();
  const timed = await startService({ clock });
  const agent_id = await createAgent(timed);
  const place = async (fields: object) => {
    const body = { agent_id, phone_number: PHONE, ...fields };
    const { call_id } = (await timed.request('POST', '/api/calls/outbound', { user: USER, body })).body;
    await reaches(timed, call_id, 'ANSWERED');
    return call_id;
  };
  const [short, long] = [await place({ max_duration_s: 10 }), await place({})];
  clock.advance(9_000);
  await timed.app.reconcile();
  assert.equal((await timed.request('GET', `/api/calls/${short}/status`)).body.call_status, 'ANSWERED');
  clock.advance(2_000);
  await timed.app.reconcile();
  assert.equal((await reaches(timed, short, 'COMPLETED')).end_reason, 'max_duration');
  assert.equal((await timed.request('GET', `/api/calls/${long}/status`)).body.call_status, 'ANSWERED');
});

test("an inbound call shows both numbers, and its worker's job has them", async () => {
  const [called, caller] = ['+15005550013', '+15005550177'];
  const agent_id = await agentWith(called);
  const room_name = service.media.callIn(called, caller) ?? assert.fail('not taken');
  await eventually(
    async () => rooms.get(room_name),
    (room) => room !== undefined,
  );
  const job = await jobOf(room_name);
  assert.deepEqual([job.direction, job.from_number, job.to_number], ['INBOUND', caller, called]);
  const call = await reaches(service, job.session_id, 'ANSWERED');
  assert.deepEqual([call.direction, call.from_number, call.to_number], ['INBOUND', caller, called]);
  const found = JSON.parse(rooms.get(room_name)?.room_metadata ?? '');
  assert.deepEqual(found, { agentId: agent_id, sessionId: job.session_id });
});

test('erasing a user erases the data its calls carried', async () => {
  const user_id = 'goes';
  const agent_id = await agentWith('+15005550014', { user_id });
  const { body } = await service.request('POST', '/api/calls/outbound', {
    user: user_id,
    body: { agent_id, phone_number: '+15005550001', variables: VARIABLES, metadata: METADATA },
  });
  await reaches(service, body.call_id, 'FAILED');
  const rows = () =>
    service.database.db
      .selectFrom('sessions')
      .select(['variables', 'metadata', 'our_number'])
      .where('id', '=', body.call_id)
      .execute();
  assert.deepEqual(await rows(), [{ variables: VARIABLES, metadata: METADATA, our_number: '+15005550014' }]);
  assert.equal((await service.request('DELETE', `/api/users/${user_id}`)).status, 200);
  assert.deepEqual(await rows(), [{ variables: null, metadata: null, our_number: null }]);
});
