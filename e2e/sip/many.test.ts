import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { type Expected, ended } from './support/checks.ts';
import { PORTS } from './support/network.ts';
import type { Phone } from './support/phones.ts';
import { repeatConcurrently } from './support/repeat-concurrently.ts';
import { recordFigure, recordScenario } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { type PlacedCall, type Switchboard, sees, WITHIN_MS } from './support/switchboard.ts';
import { isOver, requestedAt } from './support/trace.ts';

const CANCELS = FULL ? 1000 : 50;
/** Concurrency low enough to measure the service, and not a machine that is busy with the phones. */
const CANCELLERS = 5;
/**
 * A worker joins one in this many calls. Joining a room takes a second of CPU time, which would otherwise dominate the
 * measurement.
 */
const CALLS_A_WORKER = 10;
const LONGEST_RING_MS = 500;
const LONGEST_DELAY_MS = 500;
/** Number of calls being placed at the same time. */
const PLACERS = 5;
const CONCURRENT = FULL ? [20, 100] : [20];

// A ring timeout or the reconciler must not do what canceling failed to do.
const setup = await setUp(
  { RINGING_TIMEOUT_S: '60', RECONCILE_INTERVAL_MS: '3600000' },
  // Long enough to place all calls before the first is answered.
  { slowMs: FULL ? 30_000 : 8_000 },
);
const { lab, service } = setup;
const [anybody, nobody] = [service.createAgent(), service.createAgent({ join_after_ms: 600_000 })];

suite('many', () => {
  const slow = lab
    .createTrunk({ address: `127.0.0.1:${PORTS.slow}` })
    .then((trunkId) => setup.startService({ PORT: '0' }, trunkId));
  test(`${CANCELS} calls canceled at once to half a second after their 201`, async () => {
    const trunkId = await lab.createTrunk({ address: `127.0.0.1:${PORTS.ringing}` });
    const canceller = await setup.startService({ PORT: '0' }, trunkId);
    const canceled = await repeatConcurrently(CANCELS, CANCELLERS, async (index) => {
      const agent_id = await (index % CALLS_A_WORKER === 0 ? anybody : nobody);
      const call = await canceller.call('ringsOut', { agent_id });
      await systemClock.sleep((index * LONGEST_DELAY_MS) / CANCELS);
      const { status } = await canceller.post(`/api/calls/${call.call_id}/end`);
      assert.equal(status, 200);
      return { ...call, answeredAt: Date.now() };
    });
    const ends = await Promise.all(canceled.map(({ call_id }) => canceller.detail(call_id)));
    const others = ends.filter(
      ({ call_status, end_reason }) => `${call_status} ${end_reason}` !== 'COMPLETED canceled',
    );
    assert.deepEqual(others, []);
    const called = new Set(canceled.map(({ number }) => number));
    const ours = async () => (await lab.dialogues()).filter(({ number }) => called.has(number));
    await eventually(
      async () => (await ours()).filter((dialogue) => !isOver(dialogue)),
      (open) => open.length === 0,
      30_000,
    );
    const byNumber = Map.groupBy(await ours(), ({ number }) => number);
    const late = canceled.map(({ number, answeredAt }) => {
      const dialogues = byNumber.get(number) ?? [];
      assert.ok(dialogues.length <= 1, `${number} was dialled ${dialogues.length} times`);
      if (!dialogues[0]) return 0;
      return (requestedAt(dialogues[0], 'CANCEL') ?? assert.fail(`${number} never got a CANCEL`)) - answeredAt;
    });
    const tooLate = late.filter((ms) => ms > LONGEST_RING_MS);
    assert.deepEqual(tooLate, [], 'phones that rang on for so many milliseconds');
    // A worker that was about to join recreates the room, which must not stay.
    const rooms = canceled.map(({ room_name }) => room_name);
    await eventually(
      () => peopleIn(rooms),
      (people) => people.length === 0,
      30_000,
    );
    const rang = canceled.filter(({ number }) => byNumber.has(number)).length;
    recordScenario(
      {
        group: 'many',
        scenario: 'canceled 0 to 500 ms after the 201',
        sip_status_code: null,
        call_status: 'COMPLETED',
        end_reason: 'canceled',
        phone: 'nothing, or INVITE, CANCEL',
      },
      CANCELS,
    );
    recordFigure('early cancels: phones that were reached', `${rang} of ${CANCELS}`);
    recordFigure('early cancels: longest ring after the answer to the cancel', `${Math.max(...late).toFixed(0)} ms`);
  });

  for (const calls of CONCURRENT) {
    test(`${calls} calls at the same time, with mixed outcomes`, async () => {
      await mix(calls, await slow);
    });
  }
});

/** All participants of these rooms. */
async function peopleIn(rooms: string[]): Promise<string[]> {
  const open = (await lab.rooms.listRooms()).filter(({ name }) => rooms.includes(name));
  const people = await Promise.all(open.map(({ name }) => lab.rooms.listParticipants(name).catch(() => [])));
  return people.flat().map(({ identity }) => identity);
}

const failed = (end_reason: string): Expected => ({ call_status: 'FAILED', end_reason, phone: ['INVITE'] });
const completed = (end_reason: string, ...phone: string[]): Expected => ({
  call_status: 'COMPLETED',
  end_reason,
  phone: ['INVITE', ...phone],
});

const end = async (service: Switchboard, { call_id }: PlacedCall) => {
  await service.reaches(call_id, 'ANSWERED');
  await service.post(`/api/calls/${call_id}/end`);
};
const cancel = async (service: Switchboard, { call_id, number }: PlacedCall) => {
  await sees(lab, number, 'INVITE', WITHIN_MS);
  await service.post(`/api/calls/${call_id}/end`);
};

const OUTCOMES: [string, Phone, Expected, ((service: Switchboard, call: PlacedCall) => Promise<void>)?][] = [
  ['answers; the API hangs up', 'answers', completed('ended_by_user', 'BYE'), end],
  ['answers and hangs up', 'hangsUpLate', completed('hangup')],
  ['is busy', 486, { ...failed('busy'), sip_status_code: 486 }],
  ['declines', 603, { ...failed('declined'), sip_status_code: 603 }],
  ['rings; the API cancels', 'ringsOut', completed('canceled', 'CANCEL'), cancel],
  ['answers after early media; the API hangs up', 'earlyMedia', completed('ended_by_user', 'BYE'), end],
  ['there is no such number', 404, { ...failed('invalid_number'), sip_status_code: 404 }],
  ['answers and hangs up after a second', 'hangsUpAfterASecond', completed('hangup')],
  ['the trunk fails', 503, { ...failed('trunk_failure'), sip_status_code: 503 }],
  ['rings and answers; the API hangs up', 'answersLate', completed('ended_by_user', 'BYE'), end],
];

/** Places this many calls while the first still rings, and checks how each ends. */
async function mix(calls: number, slow: Switchboard): Promise<void> {
  const placed = await repeatConcurrently(calls, PLACERS, async (index) => {
    const [scenario, phone, expected, meanwhile] = OUTCOMES[index % OUTCOMES.length] ?? assert.fail();
    const talks = ['ended_by_user', 'hangup'].includes(expected.end_reason);
    const call = await slow.call(phone, { agent_id: await (talks ? anybody : nobody) });
    return { call, meanwhile, expected: { ...expected, group: `${calls} calls at the same time`, scenario } };
  });
  const states = await Promise.all(placed.map(({ call }) => slow.detail(call.call_id)));
  const ringing = states.filter(({ call_status }) => call_status === 'RINGING').length;
  await Promise.all(
    placed.map(async ({ call, meanwhile, expected }) => {
      await meanwhile?.(slow, call);
      await ended({ lab, service: slow }, call, expected);
    }),
  );
  recordFigure(`${calls} calls: ringing at the same time`, ringing);
}
