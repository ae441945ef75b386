import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { check, type Expected } from './support/checks.ts';
import { receiveCalls } from './support/inbound.ts';
import type { Phone } from './support/phones.ts';
import { FULL, setUp } from './support/setup.ts';
import { sees } from './support/switchboard.ts';

const setup = await setUp({}, { webhooks: false });
const { lab, service } = setup;
const TRIES = FULL ? 5 : 1;
const group = 'every webhook lost';

const completed = (end_reason: string, ...phone: string[]): Expected => ({
  call_status: 'COMPLETED',
  end_reason,
  phone: ['INVITE', ...phone],
});

suite('with every webhook lost', { concurrency: 4 }, async () => {
  function scenario(name: string, run: (about: { scenario: string; group: string }) => Promise<unknown>): void {
    test(name, async () => {
      for (let round = 0; round < TRIES; round++) await run({ scenario: name, group });
    });
  }
  const end = ({ call_id }: { call_id: string }) => service.post(`/api/calls/${call_id}/end`);
  for (const [code, end_reason] of [
    [486, 'busy'],
    [503, 'trunk_failure'],
    [603, 'declined'],
  ] as const) {
    scenario(`refuses with ${code}`, (about) =>
      check(setup, code as Phone, {
        ...about,
        call_status: 'FAILED',
        end_reason,
        sip_status_code: code,
        phone: ['INVITE'],
      }),
    );
  }
  scenario('answers and hangs up', (about) => check(setup, 'hangsUpLate', { ...about, ...completed('hangup') }));
  scenario('answers; the API hangs up', (about) =>
    check(setup, 'answers', { ...about, ...completed('ended_by_user', 'BYE') }, async (call) => {
      await service.reaches(call.call_id, 'ANSWERED');
      await end(call);
    }),
  );
  scenario('answers; the worker leaves', async (about) => {
    const agent_id = await service.createAgent({ leave_after_ms: 18_000 });
    await check(setup, 'answers', { ...about, ...completed('hangup', 'BYE') }, undefined, { agent_id });
  });
  scenario('rings; the API cancels', (about) =>
    check(setup, 'ringsOut', { ...about, ...completed('canceled', 'CANCEL') }, async (call) => {
      await sees(lab, call.number, 'INVITE');
      await end(call);
    }),
  );
  scenario('rings out', (about) =>
    check(setup, 'ringsOut', {
      ...about,
      call_status: 'NO_ANSWER',
      end_reason: 'no_answer',
      phone: ['INVITE', 'CANCEL'],
    }),
  );
  const checkInbound = await receiveCalls(setup, group);
  scenario('calls in, and hangs up after 3 s', async ({ scenario }) => {
    const call = await checkInbound(
      scenario,
      { talkMs: 3000 },
      {
        call_status: 'COMPLETED',
        end_reason: 'hangup',
        phone: ['INVITE', '200', 'BYE'],
      },
    );
    assert.ok(call.duration > 0, 'it was answered');
  });
});
