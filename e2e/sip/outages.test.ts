import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ParticipantInfo_Kind } from '@livekit/protocol';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { type Expected, ended } from './support/checks.ts';
import { repeatConcurrently } from './support/repeat-concurrently.ts';
import { recordFigure, recordScenario } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { AGENT_NAME, isEnded, seenBy, sees, untilAgentJoined, WITHIN_MS } from './support/switchboard.ts';
import { requestedAt, requestsOf } from './support/trace.ts';

const ROUNDS = FULL ? 5 : 1;
const CANCELS = FULL ? 200 : 20;
/** Concurrency low enough to observe the service, and not a busy machine. */
const CANCELLERS = 5;
const LONGEST_DELAY_MS = 1000;
const group = 'outages';
/** Longer than the phone rings, and short enough for the dial request to be given up in the test's time. */
const REDIS_RINGING_S = 15;
/** Time after the ringing timeout by which a phone that does not show as answered would be given up. */
const DIAL_GIVEN_UP_MS = 28_000;
// The default: a shorter one would often be faster than the event that says how a phone left.
const setup = await setUp({ RINGING_TIMEOUT_S: '30', RECONCILE_INTERVAL_MS: '5000', MEDIA_TIMEOUT_S: '15' });
const { lab, service } = setup;
/** This one gets no webhooks. */
const other = await setup.startService({ PORT: '0' });

async function talking() {
  const call = await service.call('answers');
  await service.reaches(call.call_id, 'ANSWERED');
  await untilAgentJoined(lab, call);
  return call;
}

async function agentsIn(room_name: string): Promise<string[]> {
  const everybody = await lab.rooms.listParticipants(room_name).catch(() => []);
  return everybody.filter(({ kind }) => kind === ParticipantInfo_Kind.AGENT).map(({ identity }) => identity);
}

/** The server dispatches one by itself, unless the call existed before its worker had registered. */
async function callWorker(room_name: string): Promise<void> {
  const dispatches = new AgentDispatchClient(lab.url, lab.apiKey, lab.apiSecret);
  await eventually(
    () => dispatches.createDispatch(room_name, AGENT_NAME).catch(() => null),
    (dispatch) => dispatch !== null,
    30_000,
  );
}

const completed = (end_reason: string, ...phone: string[]): Expected => ({
  call_status: 'COMPLETED',
  end_reason,
  phone: ['INVITE', ...phone],
});

suite('outages', () => {
  function scenario(name: string, run: (about: { group: string; scenario: string }) => Promise<unknown>): void {
    test(name, async () => {
      for (let round = 0; round < ROUNDS; round++) await run({ group, scenario: name });
    });
  }

  test('calls are canceled by a replica other than the one that dials them', async () => {
    const agent_id = await service.createAgent({ join_after_ms: 600_000 });
    const late = await repeatConcurrently(CANCELS, CANCELLERS, async (index) => {
      const [dials, cancels] = index % 2 === 0 ? [service, other] : [other, service];
      const call = await dials.call('ringsOut', { agent_id });
      await systemClock.sleep((index * LONGEST_DELAY_MS) / CANCELS);
      assert.equal((await cancels.post(`/api/calls/${call.call_id}/end`)).status, 200);
      const answeredAt = Date.now();
      const about = await dials.detail(call.call_id);
      assert.deepEqual([about.call_status, about.end_reason], ['COMPLETED', 'canceled']);
      return { call, answeredAt };
    });
    // If a phone is dialled after all, it is hung up.
    await systemClock.sleep(5000);
    const rang: number[] = [];
    for (const { call, answeredAt } of late) {
      const dialogue = (await lab.dialogues()).filter(({ number }) => number === call.number);
      assert.ok(dialogue.length <= 1, `${call.number} was dialled ${dialogue.length} times`);
      if (!dialogue[0]) continue;
      const seen = await sees(lab, call.number, 'CANCEL', 10_000);
      rang.push(((seen && requestedAt(seen, 'CANCEL')) ?? 0) - answeredAt);
    }
    recordFigure('canceled by another replica: phones that were reached', `${rang.length} of ${CANCELS}`);
    recordFigure('canceled by another replica: longest ring after the answer', `${Math.max(0, ...rang).toFixed(0)} ms`);
  });

  scenario('the phone falls silent after six seconds', async (about) => {
    const call = await service.call('fallsSilent');
    const expected: Expected = { call_status: 'FAILED', end_reason: 'media_lost', phone: ['INVITE', 'BYE'] };
    await ended(setup, call, { ...about, ...expected });
  });

  scenario('Redis is away while the phone is answered; the call goes on until the API hangs up', async (about) => {
    const call = await service.call('answersLate', { ringing_timeout_s: REDIS_RINGING_S });
    const placedAt = performance.now();
    await sees(lab, call.number, 'INVITE');
    await untilAgentJoined(lab, call);
    // Otherwise the last writes of the media server would be lost: here an agent that has just joined.
    await systemClock.sleep(1500);
    await lab.redis.kill();
    await eventually(
      () => lab.dialogues(),
      (all) =>
        all.some(({ number, messages }) => number === call.number && messages.some(({ method }) => method === 'ACK')),
    );
    await lab.redis.start();
    await service.reaches(call.call_id, 'ANSWERED');
    // The response to the dial request is lost, and the bridge shows the phone as dialing from now on.
    await systemClock.sleep(REDIS_RINGING_S * 1000 + DIAL_GIVEN_UP_MS - (performance.now() - placedAt));
    assert.equal((await service.detail(call.call_id)).call_status, 'ANSWERED');
    await service.post(`/api/calls/${call.call_id}/end`);
    await ended(setup, call, { ...about, ...completed('ended_by_user', 'BYE') });
  });

  scenario('the media server is restarted; one agent stays; the API hangs up', async (about) => {
    const call = await talking();
    const [first] = await agentsIn(call.room_name);
    await lab.server.kill();
    await lab.server.start();
    await callWorker(call.room_name);
    // The agent dispatched by the server, the one dispatched by us and the first one, which reconnects, arrive in any
    // order: the last one stays.
    const came = new Set([first]);
    await eventually(
      async () => {
        const seen: string[][] = [];
        // One that is removed again is in the room for some tenths of a second.
        for (let look = 0; look < 30; look++) {
          seen.push(await agentsIn(call.room_name));
          await systemClock.sleep(100);
        }
        for (const agent of seen.flat()) came.add(agent);
        return { seen, call: await service.detail(call.call_id) };
      },
      ({ seen }) => came.size > 1 && seen.every((agents) => agents.length === 1 && agents[0] === seen[0]?.[0]),
      60_000,
    );
    assert.equal((await service.detail(call.call_id)).call_status, 'ANSWERED');
    await service.post(`/api/calls/${call.call_id}/end`);
    await ended(setup, call, { ...about, ...completed('ended_by_user', 'BYE') });
  });

  test('calls end when server and bridge are killed together', async () => {
    const calls = await Promise.all([talking(), talking()]);
    await Promise.all([lab.server.kill(), lab.bridge.kill()]);
    await lab.server.start();
    await lab.bridge.start();
    for (const { call_id, number } of calls) {
      const { call_status, end_reason } = await eventually(() => service.detail(call_id), isEnded, WITHIN_MS);
      // From the first one, if no agent has returned before the room is given up.
      assert.match(`${call_status} ${end_reason}`, /^(COMPLETED room_ended|FAILED media_lost)$/);
      const seen = await seenBy(lab, number);
      const phone = seen ? requestsOf(seen).join(', ') : '';
      const scenario = 'server and bridge are killed together';
      recordScenario({ group, scenario, call_status, end_reason, sip_status_code: null, phone });
    }
    const rooms = calls.map(({ room_name }) => room_name);
    await eventually(
      async () => (await lab.rooms.listRooms(rooms)).map(({ name }) => name),
      (left) => left.length === 0,
      60_000,
    );
  });
});
