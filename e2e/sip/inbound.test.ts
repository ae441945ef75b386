import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { callIn } from './support/callers.ts';
import type { Expected } from './support/checks.ts';
import { courseOf, ownNumber, receiveCalls } from './support/inbound.ts';
import { recordScenario } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import type { Dialogue } from './support/trace.ts';

const setup = await setUp();
const TRIES = FULL ? 5 : 1;
const { service } = setup;
const group = 'inbound';

suite('a phone that calls in', { concurrency: 3 }, async () => {
  const check = await receiveCalls(setup, group);
  function scenario(name: string, run: (name: string) => Promise<unknown>): void {
    test(name, async () => {
      for (let round = 0; round < TRIES; round++) await run(name);
    });
  }
  scenario('is answered when the worker brings audio, and hangs up after 3 s', (name) =>
    check(name, { talkMs: 3000 }, { call_status: 'COMPLETED', end_reason: 'hangup', phone: ['INVITE', '200', 'BYE'] }),
  );
  scenario('is answered; the API hangs up', (name) =>
    check(
      name,
      { talkMs: 60_000 },
      { call_status: 'COMPLETED', end_reason: 'ended_by_user', phone: ['INVITE', '200', 'BYE'] },
      async (call_id) => {
        await service.reaches(call_id, 'ANSWERED');
        assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
      },
    ),
  );
  scenario('gives up while it rings', (name) =>
    check(
      name,
      { talkMs: 1000, patienceMs: 4000 },
      { call_status: 'COMPLETED', end_reason: 'canceled', phone: ['INVITE', 'CANCEL'] },
      undefined,
      { join_after_ms: 600_000 },
    ),
  );
  scenario("shows a national number, which is read as one of the called number's country", async (name) => {
    const expected: Expected = { call_status: 'COMPLETED', end_reason: 'hangup', phone: ['INVITE', '200', 'BYE'] };
    const { caller_id, caller_number } = await check(name, { talkMs: 1000, isNational: true }, expected);
    assert.match(caller_id, /^415555\d{4}$/);
    assert.equal(caller_number, `+1${caller_id}`);
  });
  test('has a long name: the bridge takes each repetition of its request for a call, and the service only one', async () => {
    const number = await ownNumber(setup, {});
    const caller = await callIn(setup.lab, number, { talkMs: 1000, patienceMs: 10_000, nameLength: 6_000 });
    await systemClock.sleep(15_000);
    const calls = (await service.list()).filter(({ caller_number }) => caller_number === caller.number);
    assert.equal(calls.length, 1, JSON.stringify(calls));
    const of = `session_id=${calls[0]?.call_id}&event_type=telephony_minutes`;
    const { body: billed } = await service.get(`/api/usage/events?${of}`);
    assert.ok(billed.items.length <= 1, JSON.stringify(billed));
  });
  scenario('calls an unassigned number and is refused', async (scenario) => {
    const caller = await callIn(setup.lab, '+15005550990', { talkMs: 1000 });
    const isRefused = (seen: Dialogue | undefined) => seen?.messages.some(({ status }) => status === 486) ?? false;
    const seen = await eventually(caller.dialogue, isRefused, 30_000);
    const course = seen ? courseOf(seen) : [];
    assert.deepEqual(course, ['INVITE', '486']);
    assert.ok((await service.list()).every(({ caller_number }) => caller_number !== caller.number));
    const nothing = { call_status: null, end_reason: null, sip_status_code: null };
    recordScenario({ group, scenario, ...nothing, phone: course.join(', ') });
  });
});
