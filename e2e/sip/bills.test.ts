import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { suite, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { compared, comparedBills } from './support/bills.ts';
import { check, type Expected, ended } from './support/checks.ts';
import { receiveCalls } from './support/inbound.ts';
import { measureOtherWork } from './support/other-work.ts';
import { repeatConcurrently } from './support/repeat-concurrently.ts';
import { recordFigure } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { numberOf, sees } from './support/switchboard.ts';

const setup = await setUp();
const { lab, service } = setup;
const ROUNDS = FULL ? 5 : 1;
/** Few enough that the machine is busy only when the test keeps it busy. */
const CONCURRENT = 2;
/** Part of the machine's time that others may have had, for it to have done nothing else meanwhile. */
const OTHER_WORK = 0.05;
/** Median and largest difference in ms on a machine that does nothing else, and with a busy loop on each processor. */
const TOLERANCE_MS = { idle: [250, 750], busy: [500, 1_000] } as const;
const [QUIET, BUSY] = ['billed', 'billed on a busy machine'] as const;
const checkInbound = await receiveCalls(setup, QUIET);
/** Inbound calls are reported under one group. */
const callsIn = (group: string) => `calls in${group.slice(QUIET.length)}`;

const completed = (end_reason: string, ...phone: string[]): Expected => ({
  call_status: 'COMPLETED',
  end_reason,
  phone: ['INVITE', ...phone],
});
const hangUp = async ({ call_id }: { call_id: string }) => {
  await service.reaches(call_id, 'ANSWERED');
  assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
};

/** Calls of each kind; `group` tells which ones. Each compares its bill with the phone's own times. */
const CALLS: ((group: string) => Promise<unknown>)[] = [
  (group) => check(setup, 'hangsUpAfterASecond', { group, scenario: 'hangs up', ...completed('hangup') }),
  (group) => check(setup, 'hangsUpLate', { group, scenario: 'hangs up', ...completed('hangup') }),
  (group) =>
    check(setup, 'answers', { group, scenario: 'the API hangs up', ...completed('ended_by_user', 'BYE') }, hangUp),
  async (group) => {
    const agent_id = await service.createAgent({ leave_after_ms: 3_000 });
    const expected = { group, scenario: 'the worker leaves', ...completed('hangup', 'BYE') };
    await check(setup, 'answers', expected, undefined, { agent_id });
  },
  (group) => checkInbound(callsIn(group), { talkMs: 3_000 }, completed('hangup', '200', 'BYE')),
  (group) =>
    checkInbound(
      `${callsIn(group)}; the API hangs up`,
      { talkMs: 60_000 },
      completed('ended_by_user', '200', 'BYE'),
      (call_id) => hangUp({ call_id }),
    ),
  async (group) => {
    const call = await service.call('takesRefer');
    await service.reaches(call.call_id, 'ANSWERED');
    const body = { phone_number: '+14155550123', type: 'COLD' };
    assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer`, body)).status, 200);
    await ended(setup, call, { group, scenario: 'cold transfer', ...completed('transferred', 'REFER', 'BYE') });
  },
  ...(['hangsUpAfterASecond', 'answers'] as const).map((phone) => async (group: string) => {
    const call = await service.call('answers');
    await service.reaches(call.call_id, 'ANSWERED');
    const target = numberOf(phone);
    const body = { phone_number: target, type: 'WARM' };
    assert.equal((await service.post(`/api/sessions/${call.call_id}/transfer`, body)).status, 200);
    const isDone = phone === 'answers' ? 'connected' : 'failed';
    await eventually(
      () => service.detail(call.call_id),
      ({ transfers }) => transfers[0].status === isDone,
      60_000,
    );
    await hangUp(call);
    await sees(lab, target, phone === 'answers' ? 'BYE' : 'INVITE');
    await ended(setup, call, { group, scenario: 'warm transfer', ...completed('ended_by_user', 'BYE') });
  }),
];

suite('bills and the times that the phones saw', { concurrency: 1 }, () => {
  for (const [group, loops] of [
    [QUIET, 0],
    [BUSY, availableParallelism()],
  ] as const) {
    test(`${group}: equal`, async (t) => {
      const before = compared();
      const otherWork = measureOtherWork();
      const stop = keepBusy(loops);
      try {
        await repeatConcurrently(ROUNDS * CALLS.length, CONCURRENT, async (index) =>
          CALLS[index % CALLS.length]?.(group),
        );
      } finally {
        stop();
      }
      const { calls, median_ms, max_ms, billed_ms } = comparedBills(before);
      assert.equal(calls, ROUNDS * CALLS.length, 'calls that were compared');
      const other = otherWork();
      if (FULL)
        assert.ok(other <= OTHER_WORK, `other work took ${Math.round(100 * other)} % of the machine: run it again`);
      if (other <= OTHER_WORK) {
        const [median, most] = TOLERANCE_MS[loops === 0 ? 'idle' : 'busy'];
        assert.ok(median_ms <= median && max_ms <= most, `${median_ms} ms, ${max_ms} ms`);
        const [least = Number.NaN, longest = Number.NaN] = billed_ms;
        assert.ok(least >= -most && longest <= 1_000 + most, `billed ${billed_ms.join(' to ')} ms beyond`);
      } else t.diagnostic(`not judged: other work took ${Math.round(100 * other)} % of the machine`);
      recordFigure(`${group}: calls`, calls);
      recordFigure(`${group}: difference to the phone's own time, median and largest`, `${median_ms} ms, ${max_ms} ms`);
      recordFigure(
        `${group}: seconds billed, beyond the phone's own time`,
        billed_ms.map((ms) => `${ms} ms`).join(' to '),
      );
    });
  }
});

/** Starts this many processes that use a whole processor each; returns what ends them. */
function keepBusy(loops: number): () => void {
  const busy = Array.from({ length: loops }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  return () => {
    for (const child of busy) child.kill('SIGKILL');
  };
}
