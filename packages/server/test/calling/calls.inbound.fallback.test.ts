// Inbound calls that no worker takes in time, and the fallback number of their agent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Media } from '../../src/providers/media.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const NUMBER = '+15005550010';
const CALLER = '+15005550199';
const TARGET = '+15005550101';
const BUSY = '+15005550001';
const ANOTHER = '+15005550011';

interface Options {
  inbound?: object;
  caller?: string;
  /** Parts of the media provider that behave otherwise. By default no worker is free. */
  media?: (sandbox: ReturnType<typeof createSandboxMedia>) => Partial<Media>;
  clock?: ReturnType<typeof createTestClock>;
}

/** A service whose agent has a number, and a call to it. */
async function ring(wanted: Options = {}) {
  const { inbound = { fallback_number: TARGET, max_wait_s: 1 }, caller = CALLER, media, clock } = wanted;
  const database = await openTestDatabase();
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 20 });
  const part = media?.(sandbox) ?? { dispatchAgent: async () => {} };
  const options = { database, media: { ...sandbox, ...part }, ...(clock && { clock }) };
  const service = await startService(options);
  const agent_id = await createAgent(service, { config: { inbound } });
  await service.request('PUT', `/api/agents/${agent_id}/callback-url`, {
    body: { callback_url: 'https://example.com/calls' },
  });
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id, phone_number: NUMBER } });
  const other = await createAgent(service, {});
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id: other, phone_number: ANOTHER } });
  const room_name = sandbox.callIn(NUMBER, caller) ?? assert.fail();
  const found = await eventually(
    () => service.request('GET', `/api/sessions/by-room/${room_name}`),
    ({ status }) => status === 200,
  );
  const call_id: string = found.body.id;
  return {
    service,
    sandbox,
    options,
    room_name,
    call_id,
    read: async () => (await service.request('GET', `/api/calls/${call_id}`)).body,
    target: async () =>
      (await sandbox.listParticipants(room_name)).find(({ identity }) => identity.startsWith('transfer-')),
    callbacks: async () =>
      (await database.db.selectFrom('callbacks').select('payload').orderBy('id').execute()).map(({ payload }) =>
        JSON.parse(payload),
      ),
    close: async () => {
      await service.close();
      await database.close();
    },
  };
}

const outcomes = ({ transfers }: { transfers: Record<string, unknown>[] }) =>
  transfers.map(({ status, transfer_type, phone_number, fallback, reason, sip_status_code }) => [
    status,
    transfer_type,
    phone_number,
    fallback,
    reason,
    sip_status_code,
  ]);

async function actions({ database }: Service) {
  const rows = await database.db.selectFrom('audit_log').select(['actor', 'action', 'detail', 'user_id']).execute();
  return rows.filter(({ action }) => action === 'transfer.started');
}

test('a caller whom no worker takes in time talks with the fallback number, until either hangs up', async () => {
  const { service, sandbox, call_id, room_name, read, target, callbacks, close } = await ring();
  await eventually(read, ({ transfers }) => transfers[0]?.status === 'completed');
  const call = await read();
  assert.equal(call.call_status, 'ANSWERED');
  assert.deepEqual(outcomes(call), [['completed', 'WARM', TARGET, true, null, null]]);
  const session = (await service.request('GET', `/api/sessions/${call_id}`)).body;
  assert.deepEqual([session.transferred_to, session.transfer_type], [TARGET, 'WARM']);
  assert.deepEqual(
    (await sandbox.listParticipants(room_name)).map(({ kind, phone }) => [kind, phone?.state]),
    [
      ['SIP', 'active'],
      ['SIP', 'active'],
    ],
  );
  // Nobody misses the agent.
  await service.app.reconcile();
  assert.equal((await read()).call_status, 'ANSWERED');
  sandbox.hangUp(room_name, (await target())?.identity ?? assert.fail());
  const ended = await reaches(service, call_id, 'COMPLETED');
  assert.equal(ended.end_reason, 'hangup');
  const transferred = (await callbacks()).find(({ type }) => type === 'call.transferred');
  assert.deepEqual(transferred?.data.transfer, { transfer_type: 'WARM', transferred_to: TARGET, fallback: true });
  assert.deepEqual(await actions(service), [
    { actor: 'fallback', action: 'transfer.started', detail: 'fallback', user_id: USER },
  ]);
  const { rows } = { rows: await service.database.db.selectFrom('usage_events').select('event_type').execute() };
  assert.equal(rows.filter(({ event_type }) => event_type === 'telephony_minutes').length, 2, 'both phones are billed');
  await close();
});

test('a later transfer whose target hangs up at once leaves the call with the fallback number, which has served it', async () => {
  const other = '+15005550102';
  const { service, sandbox, call_id, room_name, read, target, close } = await ring({
    media: (sandbox) => ({
      dispatchAgent: async () => {},
      dial: async (request, canceled) =>
        request.phone_number === other ? { answered: true, hung_up: true } : sandbox.dial(request, canceled),
    }),
  });
  await eventually(read, ({ transfers }) => transfers[0]?.status === 'completed');
  const body = { phone_number: other, type: 'WARM' };
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/transfer`, { body })).status, 200);
  await eventually(read, ({ transfers }) => transfers[1]?.status === 'failed');
  const session = (await service.request('GET', `/api/sessions/${call_id}`)).body;
  const first = service.database.db.selectFrom('transfers').select('answered_at').orderBy('id');
  const { answered_at } = await first.executeTakeFirstOrThrow();
  assert.deepEqual(
    [session.transferred_to, session.transfer_type, session.transfer_timestamp],
    [TARGET, 'WARM', answered_at?.toISOString()],
  );
  sandbox.hangUp(room_name, (await target())?.identity ?? assert.fail());
  assert.equal((await reaches(service, call_id, 'COMPLETED')).end_reason, 'hangup');
  await close();
});

test('a call whose agent is not missed within the wait, or that has no fallback number, is as before', async () => {
  const taken = await ring({ media: () => ({}) });
  await reaches(taken.service, taken.call_id, 'ANSWERED');
  await systemClock.sleep(1_300);
  assert.deepEqual((await taken.read()).transfers, []);
  await taken.close();

  const clock = createTestClock();
  const without = await ring({ inbound: { max_wait_s: 1 }, clock });
  clock.advance(21_000);
  await without.service.app.reconcile();
  const { call_status, end_reason, transfers } = await without.read();
  assert.deepEqual([call_status, end_reason, transfers], ['FAILED', 'agent_never_joined', []]);
  await without.close();
});

test('a call that rings while its number is released stays with its agent, and gets the fallback number', async () => {
  const clock = createTestClock();
  const { service, read, close } = await ring({ clock });
  const body = { agent_id: (await read()).agent_id };
  assert.equal((await service.request('POST', '/api/telephony/numbers/release', { body })).status, 200);
  clock.advance(2_000);
  await service.app.reconcile();
  await eventually(read, ({ transfers }) => transfers[0]?.status === 'completed');
  assert.deepEqual(outcomes(await read()), [['completed', 'WARM', TARGET, true, null, null]]);
  await close();
});

test('a call for which nobody answers at the fallback number either ends, and says why', async () => {
  const { service, call_id, callbacks, close } = await ring({ inbound: { fallback_number: BUSY, max_wait_s: 1 } });
  const call = await reaches(service, call_id, 'FAILED');
  assert.equal(call.end_reason, 'agent_never_joined');
  assert.deepEqual(outcomes(call), [['failed', 'WARM', BUSY, true, 'busy', 486]]);
  const failed = (await callbacks()).find(({ type }) => type === 'call.transfer_failed');
  assert.equal(failed?.data.transfer.fallback, true);
  const billed = await service.database.db.selectFrom('usage_events').select('event_type').execute();
  assert.ok(
    billed.some(({ event_type }) => event_type === 'telephony_minutes'),
    'the bridge has answered the caller',
  );
  await close();
});

test('a worker that comes after all takes a call whose fallback number must not be dialled', async () => {
  // The number of another agent, whose fallback may be this one.
  const caller = '+4407911123456';
  for (const fallback_number of [NUMBER, caller, '+447911123456', ANOTHER, 'no number', 7]) {
    let isFree = false;
    const clock = createTestClock();
    const { service, call_id, read, close } = await ring({
      inbound: { fallback_number, max_wait_s: 1 },
      caller,
      clock,
      media: (sandbox) => ({ dispatchAgent: async (room) => (isFree ? sandbox.dispatchAgent(room) : undefined) }),
    });
    clock.advance(8_000);
    isFree = true;
    await service.app.reconcile();
    await reaches(service, call_id, 'ANSWERED');
    assert.deepEqual((await read()).transfers, []);
    await close();
  }
});

test('a suppressed fallback number is not dialled, and the decision is kept with the call', async () => {
  const clock = createTestClock();
  const { service, sandbox, room_name, read, close } = await ring({ clock });
  const { status } = await service.request('POST', '/api/suppressions', {
    user: USER,
    body: { entries: [{ phone_number: TARGET }] },
  });
  assert.equal(status, 200);
  clock.advance(2_000);
  await service.app.reconcile();
  const call = await read();
  assert.deepEqual([call.call_status, call.transfers], ['RINGING', []]);
  assert.ok(
    call.dial_decisions.some(({ kind, outcome }: Record<string, string>) => kind === 'transfer' && outcome === 'deny'),
  );
  assert.equal((await sandbox.listParticipants(room_name)).length, 1);
  await close();
});

test('a caller who hangs up while the fallback number rings ends both', async () => {
  const { service, sandbox, room_name, call_id, target, close } = await ring({
    inbound: { fallback_number: '+15005550002', max_wait_s: 1 },
    media: (sandbox) => ({
      dispatchAgent: async () => {},
      // Rings for long.
      dial: (request, canceled) =>
        sandbox.dial({ ...request, phone_number: TARGET }, canceled).then(() => new Promise(() => {})),
    }),
  });
  await eventually(target, (found) => found !== undefined);
  sandbox.hangUp(room_name, `sip_${CALLER}`);
  const call = await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body,
    ({ status }) => status === 'COMPLETED' || status === 'FAILED',
  );
  assert.equal(call.transfers[0].reason, 'call_ended');
  assert.equal((await sandbox.listRooms()).has(room_name), false);
  await close();
});

test('a process that dies while the fallback number rings leaves the rest to another one, which dials nobody', async () => {
  let dials = 0;
  const { options, sandbox, call_id, target, close } = await ring({
    media: (sandbox) => ({
      dispatchAgent: async () => {},
      dial: async (request, canceled) => {
        dials++;
        // The outcome never reaches the process that has died.
        await sandbox.dial(request, canceled);
        return new Promise(() => {});
      },
    }),
  });
  await eventually(target, (found) => found?.phone?.state === 'active');
  const other = await startService({ ...options, media: { ...options.media, subscribe: () => {} } });
  const read = async () => {
    await options.database.db.deleteFrom('leases').execute();
    await other.app.reconcile();
    return (await other.request('GET', `/api/calls/${call_id}`)).body;
  };
  const call = await eventually(read, ({ transfers }) => transfers[0]?.status === 'completed');
  assert.deepEqual([call.call_status, dials], ['ANSWERED', 1]);
  assert.equal((await sandbox.listParticipants(call.room_name)).length, 2);
  await other.close();
  await close();
});

test('a fallback number whose process dies before it dials is not dialled again; the call ends in time', async () => {
  const clock = createTestClock();
  let dials = 0;
  const { options, service, call_id, close } = await ring({
    clock,
    media: () => ({
      dispatchAgent: async () => {},
      dial: () => {
        dials++;
        return new Promise(() => {});
      },
    }),
  });
  clock.advance(2_000);
  await service.app.reconcile();
  const other = await startService({ ...options, media: { ...options.media, subscribe: () => {} } });
  const after = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await options.database.db.deleteFrom('leases').execute();
    await other.app.reconcile();
    return (await other.request('GET', `/api/calls/${call_id}`)).body;
  };
  assert.equal((await after(5)).call_status, 'RINGING');
  const call = await after(15);
  assert.deepEqual([call.call_status, call.end_reason, dials], ['FAILED', 'agent_never_joined', 1]);
  assert.deepEqual(outcomes(call), [['failed', 'WARM', TARGET, true, 'call_ended', null]]);
  await other.close();
  await close();
});
