import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { checkBills } from './support/bills.ts';
import { callIn } from './support/callers.ts';
import { type Handset, openHandset } from './support/handset.ts';
import { agentWithNumber, courseOf, sessionOf } from './support/inbound.ts';
import { PORTS } from './support/network.ts';
import type { Phone } from './support/phones.ts';
import { recordScenario } from './support/seen.ts';
import { FULL, setUp } from './support/setup.ts';
import { allOver, handsetOf, isEnded, numberOf, seenBy, sees, WITHIN_MS } from './support/switchboard.ts';
import { toneOf, volumeOf } from './support/tones.ts';
import { isOver, requestsOf } from './support/trace.ts';

const TRIES = FULL ? 5 : 1;
const group = 'fallback';
const MAX_WAIT_S = 2;
/** Hertz: of the ringing tone that the bridge plays (ETSI), and of what caller and target say. */
const [RINGING, CALLER, TARGET] = [425, 700, 1100];
/** Less than any of these tones has on the way through the bridge, and more than there is without it. */
const AUDIBLE = 1_000;
/** Several times the shortest sound whose volume can be told. */
const LISTEN_MS = 500;
const setup = await setUp();
const { lab } = setup;

/** The expected end of a call, in the API, at the caller, and at the fallback number. */
interface Expected {
  call_status: string;
  end_reason: string;
  transfer: [status: string, reason: string | null, sip_status_code: number | null];
  caller: string[];
  target: string[];
}

const TALKED: [string, null, null] = ['completed', null, null];

type Call = Awaited<ReturnType<typeof callFor>>;

/** Agents that no scenario uses, each with a number: the carrier has fewer numbers than there are scenarios. */
const idle: { agent_id: string; phone_number: string }[] = [];

/** Calls an agent whose fallback number is a phone with this behavior. */
async function callFor(phone: Phone, plan: { talkMs: number; audioPort?: number; behavior?: object }) {
  const { behavior = {}, ...caller } = plan;
  const agent = idle.pop() ?? (await agentWithNumber(setup, {}));
  const target = numberOf(phone);
  const config = { lab: behavior, inbound: { fallback_number: target, max_wait_s: MAX_WAIT_S } };
  assert.equal((await setup.service.patch(`/api/agents/${agent.agent_id}`, { config })).status, 200);
  const phoneIn = await callIn(lab, agent.phone_number, caller);
  return { agent, call_id: await sessionOf(setup, phoneIn.number), caller: phoneIn, target };
}

/** Waits until caller and fallback number are connected. */
async function connected({ call_id }: Call): Promise<Json> {
  const call = await eventually(() => setup.service.detail(call_id), isConnected, WITHIN_MS);
  assert.equal(call.transfers[0]?.status, 'completed', JSON.stringify(call));
  return call;
}

const isConnected = (call: Json) => call.transfers[0]?.status === 'completed' || isEnded(call);

async function ended(scenario: string, { agent, call_id, caller, target }: Call, expected: Expected): Promise<void> {
  const call: Json = await eventually(() => setup.service.detail(call_id), isEnded, WITHIN_MS);
  const own = await eventually(caller.dialogue, (dialogue) => dialogue !== undefined && isOver(dialogue), WITHIN_MS);
  const other = await eventually(
    () => seenBy(lab, target),
    (dialogue) => dialogue !== undefined && isOver(dialogue),
    WITHIN_MS,
  );
  assert.ok(own && other);
  const { call_status, end_reason, sip_status_code, transfers } = call;
  const [course, requests] = [courseOf(own), requestsOf(other)];
  assert.deepEqual(
    {
      call_status,
      end_reason,
      transfers: transfers.map((one: Json) => [one.fallback, one.status, one.reason, one.sip_status_code]),
      caller: course,
      target: requests,
    },
    {
      call_status: expected.call_status,
      end_reason: expected.end_reason,
      transfers: [[true, ...expected.transfer]],
      caller: expected.caller,
      target: expected.target,
    },
    JSON.stringify([own.messages, other.messages]),
  );
  await checkBills(setup, call, own);
  const phone = `${course.join(', ')}; ${requests.join(', ')}`;
  recordScenario({ group, scenario, call_status, end_reason, sip_status_code, phone });
  idle.push(agent);
}

function scenario(
  name: string,
  plan: { phone: Phone; talkMs: number; meanwhile?: (call: Call) => Promise<unknown>; behavior?: object },
  expected: Expected,
): void {
  test(name, async () => {
    const { phone, meanwhile, ...about } = plan;
    for (let round = 0; round < TRIES; round++) {
      const placed = await callFor(phone, about);
      await meanwhile?.(placed);
      await ended(name, placed, expected);
    }
  });
}

/** Waits until a tone is heard. */
function hears(handset: Handset, hertz: number): Promise<unknown> {
  return eventually(
    async () => {
      await systemClock.sleep(LISTEN_MS);
      return volumeOf(handset.heard(), hertz);
    },
    (volume) => volume > AUDIBLE,
    20_000,
  );
}

const hangsUp: Omit<Expected, 'caller' | 'target'> = {
  call_status: 'COMPLETED',
  end_reason: 'hangup',
  transfer: TALKED,
};
const unserved = { call_status: 'FAILED', end_reason: 'agent_never_joined' };
const ANSWERED_AND_HUNG_UP = ['INVITE', '200', 'BYE'];

suite('an inbound call whose worker does not come', () => {
  scenario(
    'the worker has accepted the job, and is not there in time',
    { phone: 'hangsUpLate', talkMs: 60_000, behavior: { join_after_ms: 600_000 }, meanwhile: connected },
    { ...hangsUp, caller: ANSWERED_AND_HUNG_UP, target: ['INVITE'] },
  );
});

suite('an inbound call that no worker takes', { concurrency: 3 }, () => {
  before(() => setup.worker.kill());

  test('the caller hears it ring, and both hear each other', async () => {
    const mine = await openHandset(PORTS.callerHandset);
    const placed = await callFor('hasHandset', { talkMs: 60_000, audioPort: PORTS.callerHandset });
    const theirs = await openHandset(handsetOf(placed.target));
    await hears(mine, RINGING);
    await connected(placed);
    for (const [from, to, hertz] of [
      [mine, theirs, CALLER],
      [theirs, mine, TARGET],
    ] as const) {
      // Drops what was heard before.
      for (const handset of [mine, theirs]) handset.heard();
      await Promise.all([from.say(toneOf(hertz, 3)), hears(to, hertz)]);
      assert.ok(volumeOf(to.heard(), RINGING) < AUDIBLE, 'it does not ring any more');
    }
    assert.equal((await setup.service.post(`/api/calls/${placed.call_id}/end`)).status, 200);
    await ended('the caller hears it ring, and both hear each other; the API hangs up', placed, {
      ...hangsUp,
      end_reason: 'ended_by_user',
      caller: ANSWERED_AND_HUNG_UP,
      target: ['INVITE', 'BYE'],
    });
    for (const handset of [mine, theirs]) await handset.close();
  });
  scenario(
    'both talk; the caller hangs up',
    { phone: 'answers', talkMs: 8_000, meanwhile: connected },
    { ...hangsUp, caller: ANSWERED_AND_HUNG_UP, target: ['INVITE', 'BYE'] },
  );
  scenario(
    'both talk; the fallback number hangs up',
    { phone: 'hangsUpLate', talkMs: 60_000, meanwhile: connected },
    { ...hangsUp, caller: ANSWERED_AND_HUNG_UP, target: ['INVITE'] },
  );
  scenario(
    'the fallback number is busy after a second (486)',
    { phone: 'busyAfterASecond', talkMs: 60_000 },
    { ...unserved, transfer: ['failed', 'busy', 486], caller: ANSWERED_AND_HUNG_UP, target: ['INVITE'] },
  );
  scenario(
    'the fallback number is busy at once (486)',
    { phone: 486, talkMs: 60_000 },
    { ...unserved, transfer: ['failed', 'busy', 486], caller: ANSWERED_AND_HUNG_UP, target: ['INVITE'] },
  );
  scenario(
    'the fallback number rings out',
    { phone: 'ringsOut', talkMs: 60_000 },
    {
      ...unserved,
      transfer: ['failed', 'no_answer', null],
      caller: ANSWERED_AND_HUNG_UP,
      target: ['INVITE', 'CANCEL'],
    },
  );
  scenario(
    'the caller hangs up while the fallback number rings',
    { phone: 'ringsOut', talkMs: 4_000, meanwhile: ({ target }) => sees(lab, target, 'INVITE') },
    {
      ...hangsUp,
      transfer: ['failed', 'call_ended', null],
      caller: ANSWERED_AND_HUNG_UP,
      target: ['INVITE', 'CANCEL'],
    },
  );
});

test('no room for the fallback number on the first trunk (503), the second one carries it', async () => {
  const refusing = await lab.createTrunk({ address: `127.0.0.1:${PORTS.refusing}` });
  await setup.service.end('SIGTERM');
  setup.service = await setup.startService({}, `${refusing},${setup.trunkId}`);
  const call = await callFor('answers', { talkMs: 60_000 });
  await connected(call);
  assert.equal((await setup.service.post(`/api/calls/${call.call_id}/end`)).status, 200);
  assert.deepEqual(await allOver(lab, call.target), [['INVITE'], ['INVITE', 'BYE']]);
});
