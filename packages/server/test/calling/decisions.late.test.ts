// Phones that are to be dialled a while after it was decided that they may be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

const MORNING = '2027-01-12T10:00:00.000Z';
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const FIRST_REFUSES = '+15005550006';

/** A service whose media server takes its time to make rooms, or whose first trunk does to refuse. */
async function startSlowly(late: 'room' | 'trunk') {
  const clock = createTestClock(MORNING);
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const slow = Promise.withResolvers<void>();
  const dialled: string[] = [];
  const media: typeof sandbox = {
    ...sandbox,
    createRoom: async (room) => {
      if (late === 'room') await slow.promise;
      await sandbox.createRoom(room);
    },
    dial: async (call, canceled) => {
      dialled.push(call.trunk ?? '');
      const outcome = await sandbox.dial(call, canceled);
      if (late === 'trunk') await slow.promise;
      return outcome;
    },
  };
  const service = await startService({ clock, media });
  const ask = (method: string, path: string, body?: object) => service.request(method, path, { user: USER, body });
  const windows = [{ days: DAYS, from: '09:00', to: '12:00' }];
  const rules = { is_default: true, min_gap_s: 60, max_attempts: [{ count: 1, days: 1 }], windows };
  assert.equal((await ask('PUT', '/api/dial-policies/hours', rules)).status, 200);
  return { service, clock, dialled, ask, goOn: slow.resolve };
}

type Slow = Awaited<ReturnType<typeof startSlowly>>;

/** Places a call, does something and lets time pass, and then lets the media server go on. */
async function placeSlowly(
  on: Slow,
  phone_number: string,
  ms: number,
  meanwhile: (phone_number: string) => Promise<unknown> = async () => {},
) {
  const { service, clock, dialled, ask, goOn } = on;
  const agent_id = await createAgent(service);
  const answer = ask('POST', '/api/calls/outbound', { agent_id, phone_number, time_zone: 'UTC' });
  const { db } = service.database;
  const placed = () => db.selectFrom('sessions').select('id').execute();
  const [row] = await eventually(placed, (rows) => rows.length > 0);
  if (phone_number === FIRST_REFUSES)
    await eventually(
      async () => dialled.length,
      (count) => count === 1,
    );
  await meanwhile(phone_number);
  clock.advance(ms);
  goOn();
  const { status, body } = await answer;
  assert.equal(status, 201);
  const call = async () => (await ask('GET', `/api/calls/${row?.id}`)).body;
  return { status: body.status, call };
}

const suppress =
  ({ ask }: Slow) =>
  (phone_number: string) =>
    ask('POST', '/api/suppressions', { entries: [{ phone_number }] });

test('who is suppressed while the room takes five seconds is not called, and the call says why', async () => {
  const on = await startSlowly('room');
  const { status, call } = await placeSlowly(on, '+15005550100', 5_000, suppress(on));
  assert.equal(status, 'FAILED');
  const { call_status, end_reason, dial_decisions } = await call();
  assert.deepEqual([call_status, end_reason, on.dialled], ['FAILED', 'interrupted', []]);
  const told = dial_decisions.map(({ outcome, reasons }: { outcome: string; reasons: { rule: string }[] }) => [
    outcome,
    reasons.map(({ rule }) => rule),
  ]);
  assert.deepEqual(told, [
    ['allow', []],
    ['deny', ['suppression']],
  ]);
  assert.equal((await on.service.media.listRooms()).size, 0);
  await on.service.close();
});

test('whose hours are over by then is not called', async () => {
  const on = await startSlowly('room');
  const { status, call } = await placeSlowly(on, '+15005550100', 2 * 3_600_000);
  assert.deepEqual([status, on.dialled], ['FAILED', []]);
  assert.equal((await call()).dial_decisions[1].outcome, 'defer');
  await on.service.close();
});

test('a call does not count against itself, and within five seconds only suppressions are asked for again', async () => {
  const late = await startSlowly('room');
  assert.equal((await placeSlowly(late, '+15005550100', 5_000)).status, 'RINGING');
  await eventually(
    async () => late.dialled.length,
    (count) => count === 1,
  );
  await late.service.close();
  const soon = await startSlowly('room');
  const close = () => soon.ask('PUT', '/api/dial-policies/hours', { holidays: [{ date: MORNING.slice(0, 10) }] });
  const { call, status } = await placeSlowly(soon, '+15005550100', 4_999, close);
  assert.equal(status, 'RINGING');
  assert.equal((await call()).dial_decisions.length, 1);
  await soon.service.close();
});

test('who is suppressed before the phone is dialled is not called, however soon that is', async () => {
  const on = await startSlowly('room');
  const { status, call } = await placeSlowly(on, '+15005550100', 0, suppress(on));
  assert.deepEqual([status, on.dialled], ['FAILED', []]);
  assert.equal((await call()).dial_decisions[1].outcome, 'deny');
  await on.service.close();
});

test('another trunk is not tried for somebody who was suppressed meanwhile', async () => {
  const on = await startSlowly('trunk');
  const { call } = await placeSlowly(on, FIRST_REFUSES, 5_000, suppress(on));
  const { end_reason, dial_decisions } = await eventually(call, ({ call_status }) => call_status === 'FAILED');
  assert.deepEqual([end_reason, on.dialled], ['trunk_failure', ['sandbox-1']]);
  assert.equal(dial_decisions.length, 2);
  await on.service.close();
  const other = await startSlowly('trunk');
  const { call: allowed } = await placeSlowly(other, FIRST_REFUSES, 5_000);
  await eventually(allowed, ({ call_status }) => call_status === 'ANSWERED');
  assert.deepEqual(other.dialled, ['sandbox-1', 'sandbox-2']);
  await other.service.close();
});
