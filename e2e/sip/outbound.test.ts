import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, suite, test } from 'node:test';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { check, type Expected } from './support/checks.ts';
import { PORTS } from './support/network.ts';
import type { Phone, REFUSALS } from './support/phones.ts';
import { FULL, setUp } from './support/setup.ts';
import { sees } from './support/switchboard.ts';
import { requestedAt } from './support/trace.ts';

/** Long enough that no process treats a call as abandoned while another dials it through a dead trunk for 32 s. */
const RINGING_TIMEOUT_S = 25;
const setup = await setUp({ RINGING_TIMEOUT_S: String(RINGING_TIMEOUT_S) });
const { lab, service } = setup;
const TRIES = FULL ? 5 : 1;
const MAX_DURATION_S = 5;
/** Longer than the bridge waits for audio by default. */
const HOLD_MS = 20_000;

const failed = (end_reason: string): Expected => ({ call_status: 'FAILED', end_reason, phone: ['INVITE'] });
const completed = (end_reason: string, ...phone: string[]): Expected => ({
  call_status: 'COMPLETED',
  end_reason,
  phone: ['INVITE', ...phone],
});

/** Runs a scenario this many times, sequentially, while others run concurrently. */
function scenario(name: string, run: (about: { scenario: string }) => Promise<unknown>): void {
  test(name, async () => {
    for (let round = 0; round < TRIES; round++) await run({ scenario: name });
  });
}

const REASONS: Record<(typeof REFUSALS)[number], string> = {
  302: 'trunk_failure',
  402: 'trunk_rejected',
  403: 'trunk_rejected',
  404: 'invalid_number',
  408: 'no_answer',
  410: 'invalid_number',
  415: 'media_failure',
  480: 'unavailable',
  484: 'invalid_number',
  486: 'busy',
  487: 'trunk_failure',
  488: 'media_failure',
  500: 'trunk_failure',
  503: 'trunk_failure',
  600: 'busy',
  603: 'declined',
  604: 'invalid_number',
  606: 'media_failure',
  607: 'declined',
  608: 'declined',
};

suite('a phone that refuses', { concurrency: 3 }, () => {
  for (const [code, end_reason] of Object.entries(REASONS)) {
    const sip_status_code = Number(code) as (typeof REFUSALS)[number];
    const call_status = end_reason === 'no_answer' ? 'NO_ANSWER' : 'FAILED';
    scenario(`refuses with ${code}`, (about) =>
      check(setup, sip_status_code, {
        ...about,
        group: 'refused',
        call_status,
        end_reason,
        sip_status_code,
        phone: ['INVITE'],
      }),
    );
  }
});

// By far the slowest scenarios: they run concurrently.
suite('a call out', { concurrency: 3 }, () => {
  suite('a phone that answers', { concurrency: 6 }, () => {
    const group = 'answered';
    const end = async ({ call_id }: { call_id: string }) => {
      await service.reaches(call_id, 'ANSWERED');
      assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
    };
    const byUs: [string, Phone, ...string[]][] = [
      ['answers', 'answers'],
      ['answers after early media', 'earlyMedia'],
      ['answers without ringing', 'answersWithoutRinging'],
      ['does not answer the BYE', 'ignoresBye'],
      ['wants credentials', 'wantsCredentials', 'INVITE'],
    ];
    for (const [name, phone, ...more] of byUs) {
      scenario(`${name}; the API hangs up`, (about) =>
        check(setup, phone, { ...about, group, ...completed('ended_by_user', ...more, 'BYE') }, end),
      );
    }
    scenario('answers and hangs up after a second', (about) =>
      check(setup, 'hangsUpAfterASecond', { ...about, group, ...completed('hangup') }),
    );
    scenario('answers and hangs up at once', (about) =>
      check(setup, 'hangsUpAtOnce', { ...about, group, ...completed('hangup') }),
    );
    scenario('answers; the worker leaves', async (about) => {
      const agent_id = await service.createAgent({ leave_after_ms: 500 });
      await check(setup, 'answers', { ...about, group, ...completed('hangup', 'BYE') }, undefined, { agent_id });
    });
    scenario('answers; no worker comes', async (about) => {
      const agent_id = await service.createAgent({ join_after_ms: 600_000 });
      const expected = { ...about, group, ...failed('agent_never_joined'), phone: ['INVITE', 'BYE'] };
      await check(setup, 'answers', expected, undefined, { agent_id });
    });
    scenario('answers; the worker comes four seconds late', async (about) => {
      const agent_id = await service.createAgent({ join_after_ms: 5_000 });
      const call = (
        await check(
          setup,
          'hangsUpLate',
          { ...about, group, ...completed('hangup') },
          ({ call_id }) => service.reaches(call_id, 'ANSWERED'),
          { agent_id },
        )
      ).call;
      assert.ok(call.duration > 5, 'it lasted until the phone hung up');
    });
    scenario('answers and talks for longer than it may', async (about) => {
      const expected = { ...about, group, ...completed('max_duration', 'BYE') };
      const { call } = await check(setup, 'answers', expected, undefined, { max_duration_s: MAX_DURATION_S });
      assert.ok(call.duration >= MAX_DURATION_S, 'it lasted as long as it may');
    });
    scenario('answers and sends no audio', (about) =>
      check(setup, 'sendsNoAudio', { ...about, group, ...failed('media_lost'), phone: ['INVITE', 'BYE'] }),
    );
    scenario('answers, and is on hold without audio for 20 s; the API hangs up', async (about) => {
      const expected = { ...about, group, ...completed('ended_by_user', 'BYE') };
      const { call } = await check(setup, 'holds', expected, async ({ call_id }) => {
        await service.reaches(call_id, 'ANSWERED');
        await systemClock.sleep(HOLD_MS);
        assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
      });
      assert.ok(call.duration * 1000 >= HOLD_MS);
    });
    scenario('answers with a codec that was not offered', (about) =>
      check(setup, 'otherCodec', { ...about, group, ...failed('media_failure'), phone: ['INVITE', 'BYE'] }),
    );
  });

  suite('a phone that rings', { concurrency: 4 }, () => {
    const group = 'ringing';
    const cancel = async ({ call_id, number }: { call_id: string; number: string }) => {
      await sees(lab, number, 'INVITE');
      assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
    };
    const rangOut: Expected = { call_status: 'NO_ANSWER', end_reason: 'no_answer', phone: ['INVITE', 'CANCEL'] };
    scenario('rings out', async (about) => {
      const { seen } = await check(setup, 'ringsOut', { ...about, group, ...rangOut });
      const [invited = 0, canceled = 0] = seen ? [requestedAt(seen, 'INVITE'), requestedAt(seen, 'CANCEL')] : [];
      assert.ok(canceled - invited > (RINGING_TIMEOUT_S - 1) * 1000, 'it rang for as long as it may');
    });
    scenario('is tried and never rings', (about) => check(setup, 'triesOnly', { ...about, group, ...rangOut }));
    scenario('rings; the API cancels', (about) =>
      check(setup, 'ringsOut', { ...about, group, ...completed('canceled', 'CANCEL') }, cancel),
    );
    scenario('answers the CANCEL with a pick-up', (about) =>
      check(setup, 'answersTheCancel', { ...about, group, ...completed('canceled', 'CANCEL', 'BYE') }, cancel),
    );
  });

  suite('a trunk', () => {
    const group = 'trunk';
    test('that fails ends the call with the reason of the fault', async () => {
      const deaf = createSocket('udp4').bind(0, '127.0.0.1');
      after(() => deaf.close());
      await once(deaf, 'listening');
      const invited = once(deaf, 'message');
      const trunkId = await lab.createTrunk({ address: `127.0.0.1:${deaf.address().port}` });
      const odd = { lab, service: await setup.startService({ PORT: '0', RINGING_TIMEOUT_S: '40' }, trunkId) };
      const unreached = (scenario: string, end_reason: string) => ({
        ...failed(end_reason),
        group,
        scenario,
        phone: null,
      });
      const silent = check(odd, 'answers', unreached('no answer from a UDP trunk (32 s)', 'trunk_failure'));
      // The server has passed on the address by then.
      await invited;

      // The SDK's types lack the address, which the server accepts.
      const alter = (address: string, transport: 1 | 2, authPassword = '') => {
        const fields = { address, transport, authUsername: authPassword && 'lab', authPassword };
        return lab.sip.updateSipOutboundTrunkFields(trunkId, fields);
      };
      await alter('127.0.0.1:5999', 2);
      await check(odd, 'answers', unreached('TCP trunk refuses the connection', 'trunk_failure'));
      await alter('nowhere.invalid', 1);
      await check(odd, 'answers', unreached("the trunk's host does not resolve", 'trunk_failure'));
      await alter(`127.0.0.1:${PORTS.phones}`, 1, 'wrong');
      const rejected = { ...failed('trunk_rejected'), group };
      await check(odd, 'wantsCredentials', {
        ...rejected,
        scenario: 'wrong password (403)',
        sip_status_code: 403,
        phone: ['INVITE', 'INVITE'],
      });
      for (const [phone, status] of [
        ['rejectsCredentials', 401],
        ['rejectsProxyCredentials', 407],
      ] as const)
        await check(odd, phone, {
          ...rejected,
          scenario: `wrong password (${status}, each time)`,
          phone: ['INVITE', 'INVITE', 'INVITE', 'INVITE', 'INVITE'],
        });
      await alter(`127.0.0.1:${PORTS.phones}`, 1);
      await check(odd, 'wantsProxyCredentials', { ...rejected, scenario: 'trunk without credentials (407)' });
      await alter(`127.0.0.1:${PORTS.phonesTcp}`, 2);
      await check(odd, 'hangsUpAfterASecond', {
        ...completed('hangup'),
        group,
        scenario: 'TCP trunk; the phone hangs up',
      });
      await check(odd, 486, {
        ...failed('busy'),
        group,
        scenario: 'TCP trunk; the phone is busy',
        sip_status_code: 486,
      });
      await lab.sip.deleteSipTrunk(trunkId);
      await check(odd, 'answers', unreached('the trunk is unknown', 'trunk_not_found'));
      await silent;
    });
  });
});
