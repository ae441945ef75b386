import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ParticipantInfo_Kind } from '@livekit/protocol';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { AgentDispatchClient } from 'livekit-server-sdk';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { callIn } from './support/callers.ts';
import { ownNumber, sessionOf } from './support/inbound.ts';
import { setUp } from './support/setup.ts';
import { startLabWorker } from './support/switchboard.ts';

const AGENT_JOIN_TIMEOUT_S = 15;
const setup = await setUp({ AGENT_JOIN_TIMEOUT_S: String(AGENT_JOIN_TIMEOUT_S) });
const { lab, service } = setup;
const dispatches = new AgentDispatchClient(lab.url, lab.apiKey, lab.apiSecret);
const part = (share: number) => share * AGENT_JOIN_TIMEOUT_S * 1000;

/** A call to an agent whose worker behaves so. */
async function ringing(behavior: object) {
  const number = await ownNumber(setup, behavior);
  const { number: caller } = await callIn(lab, number, { talkMs: 300_000 });
  const call_id = await sessionOf(setup, caller);
  const { room_name } = await service.detail(call_id);
  return { call_id, room_name };
}

async function agentsIn(room_name: string): Promise<string[]> {
  const everybody = await lab.rooms.listParticipants(room_name).catch(() => []);
  return everybody.filter(({ kind }) => kind === ParticipantInfo_Kind.AGENT).map(({ identity }) => identity);
}

/** The agents in a room, look by look, until any other worker would have come. */
async function watch(room_name: string, ms: number): Promise<string[]> {
  const seen: string[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const now = (await agentsIn(room_name)).sort().join(' + ');
    if (seen.at(-1) !== now) seen.push(now);
    await systemClock.sleep(100);
  }
  return seen;
}

suite('a worker that has accepted an inbound call', { concurrency: 3 }, () => {
  for (const [name, join_after_ms] of [
    ['and joins after half of its time', part(0.5)],
    ['and joins when another has been dispatched', part(0.8)],
    ['and joins after the other one', [part(0.8), 0]],
  ] as const) {
    test(`${name} is the only one`, async () => {
      const { call_id, room_name } = await ringing({ join_after_ms });
      await service.reaches(call_id, 'ANSWERED');
      const seen = await watch(room_name, part(1));
      assert.equal(seen.length, 1, JSON.stringify(seen));
      assert.equal((await service.detail(call_id)).call_status, 'ANSWERED');
      assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
    });
  }
});

test('a worker that dies after it has accepted an inbound call is replaced by one', async () => {
  const { call_id, room_name } = await ringing({ join_after_ms: part(0.2) });
  await eventually(
    () => dispatches.listDispatch(room_name),
    (all) => all.some(({ state }) => (state?.jobs.length ?? 0) > 0),
  );
  await setup.worker.kill();
  const worker = await startLabWorker(lab);
  await service.reaches(call_id, 'ANSWERED');
  assert.equal((await watch(room_name, part(0.5))).length, 1);
  assert.equal((await service.post(`/api/calls/${call_id}/end`)).status, 200);
  await worker.kill();
});
