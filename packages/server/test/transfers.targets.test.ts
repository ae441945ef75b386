import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { type Clock, systemClock } from '../src/lib/clock.ts';
import type { DialOutcome } from '../src/providers/media/media.ts';
import { createSandboxMedia } from '../src/providers/media/sandbox.ts';

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
