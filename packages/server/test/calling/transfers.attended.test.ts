// Attended transfers: the agent talks to the target while the caller waits apart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { APART, attendedTransfers, BRIEFING, TARGET } from '../support/attended.ts';

const media = createSandboxMedia({ clock: systemClock, ringMs: 20 });
const service = await startService({ media });

const { transfer, complete, attempt, becomes, heard, consulting } = attendedTransfers(service, media);

async function assertBackWithAgent(call_id: string, room_name: string, reason: string): Promise<void> {
  const failed = await becomes(call_id, 'failed');
  assert.deepEqual([failed.reason, failed.briefing], [reason, null]);
  assert.deepEqual(media.heardBy(room_name, 'phone'), ['agent']);
  await reaches(service, call_id, 'ANSWERED');
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, null);
  assert.deepEqual((await media.listParticipants(room_name)).map(({ kind }) => kind).sort(), ['AGENT', 'SIP']);
  assert.equal((await transfer(call_id, { attended: false, type: 'WARM' })).status, 200, 'another one can begin');
}

test('the caller waits apart while agent and target talk, and is connected when the transfer is completed', async () => {
  const { call_id, room_name, target } = await consulting();
  const session = async () => (await service.request('GET', `/api/sessions/${call_id}`)).body;
  const { attended, briefing } = await attempt(call_id);
  assert.deepEqual([attended, briefing, (await session()).transferred_to], [true, BRIEFING, null]);

  const { status, body } = await complete(call_id);
  assert.deepEqual([status, body.status], [200, 'completed']);
  assert.deepEqual(heard(room_name, target), [[target], ['phone']]);
  const { transferred_to, transfer_type } = await session();
  assert.deepEqual([transferred_to, transfer_type], [TARGET, 'WARM']);
  assert.deepEqual([(await attempt(call_id)).status, (await attempt(call_id)).briefing], ['completed', null]);
  assert.equal((await complete(call_id)).body.code, 'no_transfer_in_progress');
  // Nobody separates the two afterwards.
  await service.app.reconcile();
  assert.deepEqual(heard(room_name, target), [[target], ['phone']]);
  media.hangUp(room_name, target);
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
});

test('the caller does not hear the target while it rings, but the agent', async () => {
  const { call_id, room_name } = await answeredCall(service);
  await transfer(call_id, { phone_number: '+15005550002' });
  const target = await eventually(
    async () => (await media.listParticipants(room_name)).find(({ identity }) => identity.startsWith('transfer-')),
    (one) => one !== undefined,
  );
  await eventually(
    async () => media.heardBy(room_name, 'phone'),
    (all) => all.length === 1 && all[0] === 'agent',
  );
  assert.ok(target);
  await assertBackWithAgent(call_id, room_name, 'no_answer');
});

for (const [name, phone_number, reason] of [
  ['is busy', '+15005550001', 'busy'],
  ['declines the call', '+15005550003', 'declined'],
] as const) {
  test(`the caller keeps the agent when the target ${name}`, async () => {
    const { call_id, room_name } = await answeredCall(service);
    await transfer(call_id, { phone_number });
    await assertBackWithAgent(call_id, room_name, reason);
  });
}

for (const reason of ['voicemail', 'declined', 'canceled']) {
  test(`a consultation that is returned as ${reason} hangs up the target, and the caller has the agent again`, async () => {
    const { call_id, room_name } = await consulting();
    const query = reason === 'canceled' ? '?outcome=return' : `?outcome=return&reason=${reason}`;
    const { status, body } = await complete(call_id, query);
    assert.deepEqual([status, body.status], [200, 'returned']);
    await assertBackWithAgent(call_id, room_name, reason);
  });
}

test('a target that hangs up during the consultation gives the caller back', async () => {
  const { call_id, room_name, target } = await consulting();
  media.hangUp(room_name, target);
  await assertBackWithAgent(call_id, room_name, 'hangup');
});

test('a caller who hangs up while waiting ends the call, and nobody was transferred', async () => {
  const { call_id, room_name } = await consulting();
  media.hangUp(room_name, 'phone');
  const call = await reaches(service, call_id, 'COMPLETED');
  const [{ status, reason, briefing }] = call.transfers;
  assert.deepEqual([call.end_reason, status, reason, briefing], ['hangup', 'failed', 'call_ended', null]);
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, null);
  assert.ok(!(await media.listRooms()).has(room_name), 'the target was hung up');
});

test('an agent that is lost during the consultation leaves caller and target to each other', async () => {
  const { call_id, room_name, target } = await consulting();
  media.hangUp(room_name, 'agent');
  await becomes(call_id, 'completed');
  assert.deepEqual(heard(room_name, target), [[target], ['phone']]);
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.transferred_to, TARGET);
});

test('a phone that reconnects during the consultation is kept apart again', async () => {
  const { room_name, target } = await consulting();
  for (const identity of ['phone', target]) {
    media.reconnect(room_name, identity);
    await eventually(
      async () => heard(room_name, target),
      (all) => JSON.stringify(all) === JSON.stringify(APART),
    );
  }
});

for (const [query, last] of [
  ['', 'call.transferred'],
  ['?outcome=return&reason=declined', 'call.transfer_failed'],
] as const) {
  test(`a consultation is announced, and then its end: ${last}`, async () => {
    const callback_url = 'https://example.com/calls';
    const { call_id } = await consulting({ callback_url });
    assert.equal((await complete(call_id, query)).status, 200);
    const sent = await service.database.db
      .selectFrom('callbacks')
      .select('payload')
      .where('session_id', '=', call_id)
      .orderBy('id')
      .execute();
    const events = sent.map(({ payload }) => JSON.parse(payload)).filter(({ type }) => /transfer/.test(type));
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.transfer.attended, data.transfer.transferred_to]),
      [
        ['call.transfer_answered', true, TARGET],
        [last, true, TARGET],
      ],
    );
    assert.ok(!JSON.stringify(sent).includes(BRIEFING));
    const noted = await service.database.db
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .where('target', '=', `session/${call_id}`)
      .orderBy('id', 'desc')
      .execute();
    assert.deepEqual(
      noted.map(({ action, detail }) => [action, detail]),
      [
        query === '' ? ['transfer.completed', null] : ['transfer.returned', 'declined'],
        ['transfer.started', 'attended'],
      ],
    );
  });
}

test('the line of a target is billed once, whatever becomes of the consultation', async () => {
  const lines = async (call_id: string) => {
    const events = await service.database.db
      .selectFrom('usage_events')
      .selectAll()
      .where('session_id', '=', call_id)
      .execute();
    return events.filter(({ event_type }) => event_type === 'telephony_minutes').length;
  };
  const returned = await consulting();
  await complete(returned.call_id, '?outcome=return');
  assert.equal(await lines(returned.call_id), 1);
  await service.request('POST', `/api/calls/${returned.call_id}/end`);
  assert.equal(await lines(returned.call_id), 2);
  const connected = await consulting();
  await complete(connected.call_id);
  assert.equal(await lines(connected.call_id), 0);
  await service.request('POST', `/api/calls/${connected.call_id}/end`);
  assert.equal(await lines(connected.call_id), 2);
});

test('only a warm transfer is attended, only that has a briefing, and only an agent who is there attends', async () => {
  const { call_id } = await answeredCall(service);
  const cold = await transfer(call_id, { type: 'COLD' });
  assert.deepEqual([cold.status, cold.body.detail[0].loc], [422, ['body', 'attended']]);
  const unattended = await transfer(call_id, { attended: false, briefing: BRIEFING });
  assert.deepEqual([unattended.status, unattended.body.detail[0].loc], [422, ['body', 'briefing']]);
  const long = await transfer(call_id, { briefing: 'x'.repeat(1001) });
  assert.deepEqual([long.status, long.body.detail[0].loc], [422, ['body', 'briefing']]);
  assert.equal((await complete(call_id, '?outcome=perhaps')).status, 422);
  assert.equal((await complete(call_id, '?outcome=return')).body.code, 'no_transfer_in_progress');

  const moved = await consulting();
  await complete(moved.call_id);
  const again = await transfer(moved.call_id);
  assert.deepEqual([again.status, again.body.code], [409, 'agent_absent']);
});

test('only an attended transfer can be returned', async () => {
  const { call_id } = await answeredCall(service);
  await transfer(call_id, { attended: false, type: 'WARM' });
  await becomes(call_id, 'connected');
  const { status, body } = await complete(call_id, '?outcome=return&reason=declined');
  assert.deepEqual([status, body.code], [409, 'no_transfer_in_progress']);
  assert.equal((await attempt(call_id)).status, 'connected');
  assert.equal((await complete(call_id)).status, 200);
});
