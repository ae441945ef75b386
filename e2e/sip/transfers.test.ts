import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Expected, ended } from './support/checks.ts';
import type { Phone } from './support/phones.ts';
import { FULL, setUp } from './support/setup.ts';
import { numberOf, type PlacedCall, sees, untilAgentJoined } from './support/switchboard.ts';

const setup = await setUp();
const { lab, service } = setup;
const TRIES = FULL ? 5 : 1;

const completed = (end_reason: string, ...phone: string[]): Expected => ({
  call_status: 'COMPLETED',
  end_reason,
  phone: ['INVITE', ...phone],
});

async function talking(phone: Phone, fields: object = {}): Promise<PlacedCall> {
  const call = await service.call(phone, fields);
  await service.reaches(call.call_id, 'ANSWERED');
  await untilAgentJoined(lab, call);
  return call;
}

function transfer({ call_id }: PlacedCall, phone_number: string, type: 'COLD' | 'WARM') {
  return service.post(`/api/sessions/${call_id}/transfer`, { phone_number, type });
}

/** The call's newest transfer once it has this status. */
async function transferIs({ call_id }: PlacedCall, status: string): Promise<Json> {
  const { transfers } = await eventually(
    () => service.detail(call_id),
    (call) => call.transfers.at(-1)?.status === status,
    60_000,
  );
  return transfers.at(-1);
}

const end = ({ call_id }: PlacedCall) => service.post(`/api/calls/${call_id}/end`);

function scenario(name: string, run: (about: { scenario: string }) => Promise<unknown>): void {
  test(name, async () => {
    for (let round = 0; round < TRIES; round++) await run({ scenario: name });
  });
}

suite('a cold transfer', { concurrency: 3 }, () => {
  const group = 'cold transfer';
  scenario('the phone takes the REFER', async (about) => {
    const call = await talking('takesRefer');
    const { status, body } = await transfer(call, '+14155550123', 'COLD');
    assert.deepEqual([status, body.status], [200, 'completed']);
    assert.equal((await service.detail(call.call_id)).transfers[0].status, 'completed');
    await ended(setup, call, { ...about, group, ...completed('transferred', 'REFER', 'BYE') });
  });
  for (const [name, phone, reason, sip_status_code] of [
    ['the target is busy (486)', 'failsRefer', 'busy', 486],
    ['the phone refuses the REFER (603)', 'refusesRefer', 'declined', 603],
  ] as const) {
    scenario(`${name}; the call goes on until the API ends it`, async (about) => {
      const call = await talking(phone);
      const { status, body } = await transfer(call, '+14155550123', 'COLD');
      assert.deepEqual([status, body.code], [502, 'transfer_failed']);
      const [failed] = (await service.detail(call.call_id)).transfers;
      assert.deepEqual([failed.status, failed.reason, failed.sip_status_code], ['failed', reason, sip_status_code]);
      assert.equal((await service.detail(call.call_id)).call_status, 'ANSWERED');
      await end(call);
      await ended(setup, call, { ...about, group, ...completed('ended_by_user', 'REFER', 'BYE') });
    });
  }
});

suite('a cold transfer whose target is slower than its call', { concurrency: 3 }, () => {
  const group = 'cold transfer';
  for (const [name, end_reason, fields] of [
    ['the API ends the call while the target rings', 'ended_by_user', {}],
    ['the call reaches its longest duration while the target rings', 'max_duration', { max_duration_s: 5 }],
  ] as const) {
    scenario(name, async (about) => {
      const call = await talking('takesReferLate', fields);
      const transferred = transfer(call, '+14155550123', 'COLD');
      await sees(lab, call.number, 'REFER');
      if (end_reason === 'ended_by_user') await end(call);
      const { status, body } = await transferred;
      assert.deepEqual([status, body.code], [409, 'session_not_active']);
      const [{ status: outcome, reason }] = (await service.detail(call.call_id)).transfers;
      assert.deepEqual([outcome, reason], ['failed', 'call_ended']);
      await ended(setup, call, { ...about, group, ...completed(end_reason, 'REFER', 'BYE') });
    });
  }
});

suite('a warm transfer', { concurrency: 3 }, () => {
  const group = 'warm transfer';
  scenario('the target answers, the agent drops out, the call is ended', async (about) => {
    const call = await talking('answers');
    const target = numberOf('answers');
    assert.equal((await transfer(call, target, 'WARM')).body.status, 'initiated');
    await transferIs(call, 'connected');
    assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer/complete`)).status, 200);
    await transferIs(call, 'completed');
    assert.equal((await service.detail(call.call_id)).call_status, 'ANSWERED');
    // Its own number is not dialled again.
    assert.equal((await transfer(call, call.number, 'WARM')).status, 422);
    await end(call);
    await sees(lab, target, 'BYE');
    await ended(setup, call, { ...about, group, ...completed('ended_by_user', 'BYE') });
  });
  scenario('the agent drops out, then the caller hangs up', async (about) => {
    const call = await talking('hangsUpLater');
    const target = numberOf('answers');
    await transfer(call, target, 'WARM');
    await transferIs(call, 'connected');
    await service.post(`/api/sessions/${call.call_id}/transfer/complete`);
    await ended(setup, call, { ...about, group, ...completed('hangup') });
    await sees(lab, target, 'BYE');
  });
  for (const [name, phone, reason, sip_status_code] of [
    ['the target is busy (486)', 486, 'busy', 486],
    ["the target's side gives up (487)", 487, 'trunk_failure', 487],
    ['the target rings out', 'ringsOut', 'no_answer', null],
  ] as const) {
    scenario(`${name}; the caller keeps the agent`, async (about) => {
      const call = await talking('answers');
      await transfer(call, numberOf(phone), 'WARM');
      const failed = await transferIs(call, 'failed');
      assert.deepEqual([failed.reason, failed.sip_status_code], [reason, sip_status_code]);
      assert.equal((await service.detail(call.call_id)).call_status, 'ANSWERED');
      await end(call);
      await ended(setup, call, { ...about, group, ...completed('ended_by_user', 'BYE') });
    });
  }
  scenario('the agent drops out, then the target hangs up', async (about) => {
    const call = await talking('answers');
    await transfer(call, numberOf('hangsUpLate'), 'WARM');
    await transferIs(call, 'connected');
    assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer/complete`)).status, 200);
    await ended(setup, call, { ...about, group, ...completed('hangup', 'BYE') });
  });
  scenario('the target answers and hangs up; another transfer can begin', async (about) => {
    const call = await talking('answers');
    await transfer(call, numberOf('hangsUpAfterASecond'), 'WARM');
    assert.equal((await transferIs(call, 'failed')).reason, 'hangup');
    assert.equal((await service.detail(call.call_id)).call_status, 'ANSWERED');
    assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer/complete`)).status, 409);
    const second = numberOf('answers');
    assert.equal((await transfer(call, second, 'WARM')).status, 200);
    await transferIs(call, 'connected');
    await end(call);
    await sees(lab, second, 'BYE');
    await ended(setup, call, { ...about, group, ...completed('ended_by_user', 'BYE') });
  });
});
