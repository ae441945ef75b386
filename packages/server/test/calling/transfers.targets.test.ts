import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import type { DialOutcome } from '../../src/providers/phones.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

/** A service with a call whose agent has joined, and that dials the targets of its transfers with `dial`. */
async function talking(dial: (own: () => Promise<DialOutcome>) => Promise<DialOutcome>, clock: Clock = systemClock) {
  const sandbox = createSandboxMedia({ clock, ringMs: 1 });
  const dialAny: typeof sandbox.dial = (call, canceled) =>
    call.identity.startsWith('transfer-') ? dial(() => sandbox.dial(call, canceled)) : sandbox.dial(call, canceled);
  const service = await startService({ clock, media: { ...sandbox, dial: dialAny } });
  const { call_id, room_name } = await answeredCall(service);
  const agent = await eventually(
    async () => (await sandbox.listParticipants(room_name)).find(({ kind }) => kind === 'AGENT')?.identity,
    (identity) => identity !== undefined,
  );
  const call = async () => (await service.request('GET', `/api/calls/${call_id}`)).body;
  await eventually(
    () => service.database.db.selectFrom('sessions').select('agent_joined_at').executeTakeFirstOrThrow(),
    ({ agent_joined_at }) => agent_joined_at !== null,
  );
  return {
    service,
    call,
    transfer: async () => {
      const body = { phone_number: '+15005550101', type: 'WARM' };
      const { status } = await service.request('POST', `/api/sessions/${call_id}/transfer`, { body });
      assert.equal(status, 200);
    },
    /** The agent leaves, and its departure is handled. */
    loseAgent: async () => {
      sandbox.hangUp(room_name, agent ?? assert.fail());
      await eventually(
        () => service.database.db.selectFrom('media_events').selectAll().execute(),
        (events) =>
          events.some(({ body }) => /"participant_left"/.test(body)) &&
          events.every(({ handled_at }) => handled_at !== null),
      );
    },
  };
}

test('a warm transfer that the far end of its target cancels has failed for that reason', async () => {
  const gaveUp = { answered: false, no_answer: false, end_reason: 'canceled', sip_status_code: 487 } as const;
  const { service, call, transfer } = await talking(async () => gaveUp);
  await transfer();
  const { transfers, call_status } = await eventually(call, (now) => now.transfers[0].status === 'failed');
  assert.deepEqual([transfers[0].reason, transfers[0].sip_status_code], ['trunk_failure', 487]);
  assert.equal(call_status, 'ANSWERED');
  await service.close();
});

test('a canceled target is recorded although the media server does not say whether its room is gone', async () => {
  const gaveUp = { answered: false, no_answer: false, end_reason: 'canceled', sip_status_code: null } as const;
  const { service, call, transfer } = await talking(async () => gaveUp);
  service.media.listRooms = () => Promise.reject(new Error('no response'));
  await transfer();
  const { transfers } = await eventually(call, (now) => now.transfers[0].status === 'failed');
  assert.equal(transfers[0].reason, 'trunk_failure');
  await service.close();
});

const busy = { answered: false, no_answer: false, end_reason: 'busy', sip_status_code: 486 } as const;
for (const [what, outcome, ends] of [
  ['goes on with the target', null, ['ANSWERED', null, 'completed', null]],
  ['ends if the target is busy', busy, ['COMPLETED', 'hangup', 'failed', 'busy']],
] as const) {
  test(`a call whose agent leaves before the target of a warm transfer has joined ${what}`, async () => {
    const gate = Promise.withResolvers<void>();
    const { service, call, transfer, loseAgent } = await talking(async (own) => {
      await gate.promise;
      return outcome ?? own();
    });
    await transfer();
    await loseAgent();
    assert.equal((await call()).call_status, 'ANSWERED');
    gate.resolve();
    const { call_status, end_reason, transfers } = await eventually(
      call,
      (now) => now.transfers[0].status === ends[2] && now.call_status === ends[0],
    );
    assert.deepEqual([call_status, end_reason, transfers[0].status, transfers[0].reason], ends);
    await service.close();
  });
}

test('a busy target ends no call whose participants are missing from its room: they may be reconnecting', async () => {
  const { service, call, transfer } = await talking(async () => busy);
  let lists = 0;
  service.media.listParticipants = async () => {
    lists++;
    return [];
  };
  for (const failed of [1, 2]) {
    // The second one is accepted only if the first has left the call alone.
    await transfer();
    await eventually(
      call,
      ({ transfers }) => transfers.filter(({ status }: { status: string }) => status === 'failed').length === failed,
    );
  }
  await eventually(
    async () => lists,
    (count) => count >= 2,
  );
  await transfer();
  assert.equal((await call()).call_status, 'ANSWERED');
  await service.close();
});

test('a target whose dialing nobody remembers ends the call of a caller who is alone', async () => {
  const clock = createTestClock('2026-03-01T10:00:00.000Z');
  const gate = Promise.withResolvers<DialOutcome>();
  const { service, call, transfer, loseAgent } = await talking(() => gate.promise, clock);
  await transfer();
  await loseAgent();
  clock.advance(121_000);
  await service.app.reconcile();
  const { call_status, end_reason, transfers } = await call();
  assert.deepEqual(
    [call_status, end_reason, transfers[0].status, transfers[0].reason],
    ['COMPLETED', 'hangup', 'failed', 'interrupted'],
  );
  gate.resolve(busy);
  await service.close();
});

type Sandbox = ReturnType<typeof createSandboxMedia>;

/** A service that dials with `dial`. Events of departures that contain `text` wait in `held`. */
async function startHolding(sandbox: Sandbox, dial: Sandbox['dial'], text: string) {
  const held: (() => Promise<void>)[] = [];
  const subscribe: Sandbox['subscribe'] = (deliver) =>
    sandbox.subscribe(async (body) => {
      if (body.includes('"participant_left"') && body.includes(text)) held.push(() => deliver(body));
      else await deliver(body);
    });
  return { late: await startService({ media: { ...sandbox, dial, subscribe } }), held };
}

test('a caller who is gone when the target answers was not transferred', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let callerRoom = '';
  const dial: Sandbox['dial'] = async (call, canceled) => {
    const outcome = await sandbox.dial(call, canceled);
    // The event is on its way when the target answers.
    if (call.identity.startsWith('transfer-')) sandbox.hangUp(callerRoom, 'phone');
    return outcome;
  };
  const { late, held } = await startHolding(sandbox, dial, '');
  const { call_id, room_name } = await answeredCall(late);
  callerRoom = room_name;
  const body = { phone_number: '+15005550101', type: 'WARM' };
  assert.equal((await late.request('POST', `/api/sessions/${call_id}/transfer`, { body })).status, 200);
  await eventually(
    async () => held.length,
    (count) => count > 0,
  );
  await systemClock.sleep(700);
  for (const deliver of held.splice(0)) void deliver();
  const read = async () => (await late.request('GET', `/api/calls/${call_id}`)).body;
  const call = await eventually(read, ({ call_status }) => call_status === 'COMPLETED');
  assert.deepEqual(
    [call.end_reason, call.transfers[0].status, call.transfers[0].reason],
    ['hangup', 'failed', 'call_ended'],
  );
  const shown = await late.request('GET', `/api/sessions/${call_id}`);
  assert.equal(shown.body.transferred_to, null);
  await late.close();
});

test('a target that answers a caller who is gone is not connected, although the agent is seen to leave first', async () => {
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const dial: Sandbox['dial'] = async (call, canceled) => {
    const outcome = await sandbox.dial(call, canceled);
    // Its outcome is lost.
    return call.identity.startsWith('transfer-') ? new Promise(() => {}) : outcome;
  };
  const { late, held } = await startHolding(sandbox, dial, '"phone"');
  const { call_id, room_name } = await answeredCall(late);
  const body = { phone_number: '+15005550101', type: 'WARM' };
  assert.equal((await late.request('POST', `/api/sessions/${call_id}/transfer`, { body })).status, 200);
  const present = await eventually(
    () => sandbox.listParticipants(room_name),
    (all) => all.filter(({ phone }) => phone?.state === 'active').length === 2,
  );
  sandbox.hangUp(room_name, 'phone');
  sandbox.hangUp(room_name, present.find(({ kind }) => kind === 'AGENT')?.identity ?? '');
  await systemClock.sleep(300);
  for (const deliver of held.splice(0)) await deliver();
  const read = async () => (await late.request('GET', `/api/calls/${call_id}`)).body;
  const { transfers } = await eventually(read, ({ call_status }) => call_status === 'COMPLETED');
  assert.deepEqual([transfers[0].status, transfers[0].reason], ['failed', 'call_ended']);
  await late.close();
});

for (const type of ['WARM', 'COLD', 'cold']) {
  test(`a ${type} transfer to the number that is in the call is refused, and dials nobody`, async () => {
    const own = await startService();
    const { call_id } = await answeredCall(own);
    const body = { phone_number: '+15005550100', type };
    const answer = await own.request('POST', `/api/sessions/${call_id}/transfer`, { body });
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.detail[0].loc, ['body', 'phone_number']);
    assert.match(answer.body.detail[0].msg, /another number/);
    const { transfers, call_status } = (await own.request('GET', `/api/calls/${call_id}`)).body;
    assert.deepEqual([transfers, call_status], [[], 'ANSWERED']);
    await own.close();
  });
}

const [PHONE, ALSO_PHONE] = ['+447911123456', '+4407911123456'];

for (const [what, phone, target] of [
  ['outbound', PHONE, ALSO_PHONE],
  ['outbound', ALSO_PHONE, PHONE],
  ['inbound', PHONE, PHONE],
  ['inbound', PHONE, ALSO_PHONE],
  ['inbound', ALSO_PHONE, PHONE],
] as const) {
  test(`an ${what} call with ${phone} is not transferred to ${target}: it is the same phone`, async () => {
    const own = await startService();
    const call_id = what === 'inbound' ? await calledBy(own, phone) : (await placeCall(own, phone)).call_id;
    await reaches(own, call_id, 'ANSWERED');
    const body = { phone_number: target, type: 'WARM' };
    const answer = await own.request('POST', `/api/sessions/${call_id}/transfer`, { body });
    assert.equal(answer.status, 422);
    assert.match(answer.body.detail[0].msg, /another number/);
    assert.deepEqual((await own.request('GET', `/api/calls/${call_id}`)).body.transfers, []);
    await own.close();
  });
}

/** A call from a phone, which an agent has. */
async function calledBy(service: Service, phone: string): Promise<string> {
  const [agent_id, phone_number] = [await createAgent(service), '+15005550010'];
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number } });
  const room_name = service.media.callIn(phone_number, phone) ?? assert.fail();
  const found = await eventually(
    () => service.request('GET', `/api/sessions/by-room/${room_name}`),
    ({ status }) => status === 200,
  );
  return found.body.id;
}
