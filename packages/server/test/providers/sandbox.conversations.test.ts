import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { begin } from '../support/web-calls.ts';

const PAUSE_MS = 12_345;
const CONFIG = {
  greeting: 'Hello {{first_name}}, this is the library.',
  instructions: 'Be brief. The library opens at ten on {{day}}s. A library card costs five dollars a year.',
};
const VARIABLES = { first_name: 'Ada', day: 'Sunday' };
const CONVERSATION = [
  ['AGENT', 'Hello Ada, this is the library.'],
  ['USER', 'When do you open on Sunday?'],
  ['AGENT', 'The library opens at ten on Sundays.'],
  ['USER', 'How much does a library card cost?'],
  ['AGENT', 'A library card costs five dollars a year.'],
  ['USER', 'Are you a real person?'],
  ['AGENT', 'I am a few rules on this machine, not a language model. Give the agent a model to really talk to it.'],
];

/** A sandbox whose speakers say a sentence when `speak` is called, and wait for the next. */
function haltingSandbox(conversations: number) {
  const waiting = new Set<() => void>();
  const sleep = (ms: number, signal?: AbortSignal) => {
    if (ms !== PAUSE_MS) return systemClock.sleep(ms, signal);
    return new Promise<void>((resolve, reject) => {
      waiting.add(resolve);
      const leave = () => {
        waiting.delete(resolve);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
    });
  };
  const clock: Clock = { ...systemClock, sleep };
  const media = createSandboxMedia({ clock, ringMs: 20, conversations, pauseMs: PAUSE_MS });
  const isWaiting = (count: number) =>
    eventually(
      async () => waiting.size,
      (size) => size === count,
    );
  const say = async () => {
    await isWaiting(1);
    const [resume] = waiting;
    waiting.clear();
    resume?.();
  };
  return {
    media,
    isWaiting,
    say,
    /** The only speaker says a sentence, reports it, and waits again. */
    speak: async () => {
      await say();
      await isWaiting(1);
    },
  };
}

async function said(service: Service, call_id: string): Promise<string[][]> {
  const { body } = await service.request('GET', `/api/sessions/${call_id}/transcripts?limit=100`);
  return body.items.map(({ speaker, content }: Json) => [speaker, content]);
}

const turnsOf = async (service: Service, call_id: string): Promise<Json[]> =>
  (await service.request('GET', `/api/sessions/${call_id}/turns`)).body.items;
const costsOf = async (service: Service, call_id: string): Promise<Json> =>
  (await service.request('GET', `/api/sessions/${call_id}/costs`, { user: USER })).body;

/** Everything that was reported about a call. */
const reported = (service: Service, call_id: string) =>
  Promise.all([said(service, call_id), turnsOf(service, call_id), costsOf(service, call_id)]);

const quick = (conversations = 5) =>
  startService({ media: createSandboxMedia({ clock: systemClock, ringMs: 20, conversations, pauseMs: 5 }) });

test('a call by HTTP alone has a transcript with its variables, turns, usage and a cost, and stays open', async () => {
  const service = await quick();
  const agent_id = await createAgent(service, { config: CONFIG });
  const { call_id } = await placeCall(service, '+15005550100', { agent_id, variables: VARIABLES });
  const complete = ({ events }: Json) => events.length >= 1 + 3 * 3;
  const costs = await eventually(() => costsOf(service, call_id), complete);
  assert.deepEqual(await said(service, call_id), CONVERSATION);
  const turns = await turnsOf(service, call_id);
  assert.deepEqual(
    turns.map(({ turn_index, model }) => [turn_index, model]),
    [0, 1, 2].map((index) => [index, 'rules']),
  );
  assert.ok(
    turns.every(
      ({ transcript_ms, first_token_ms, first_audio_ms }) =>
        transcript_ms < first_token_ms && first_token_ms < first_audio_ms,
    ),
  );
  assert.ok(Number(costs.total_cost) > 0, costs.total_cost);
  assert.ok(costs.events.every(({ provider, unit_cost }: Json) => provider === 'sandbox' && Number(unit_cost) > 0));
  assert.equal((await reaches(service, call_id, 'ANSWERED')).ended_at, null);
  await service.close();
});

test('a browser and a phone that calls in are talked to, and an agent without a greeting waits for the caller', async () => {
  const service = await quick();
  const agent_id = await createAgent(service, { config: { instructions: CONFIG.instructions } });
  const browser = await begin(service, { agent_id, variables: VARIABLES });
  const number = { agent_id, phone_number: '+15005550010' };
  assert.equal((await service.request('POST', '/api/telephony/numbers/assign', { body: number })).status, 200);
  const room = service.media.callIn('+15005550010', '+15005550199') ?? assert.fail();
  const inbound = await eventually(
    () => service.request('GET', '/api/calls/?direction=INBOUND', { user: USER }),
    ({ body }) => body.items.length === 1,
  );
  assert.equal(inbound.body.items[0].room_name, room);
  for (const { call_id } of [browser, inbound.body.items[0]]) {
    const lines = await eventually(
      () => said(service, call_id),
      (all) => all.length >= 3,
    );
    assert.deepEqual(lines.slice(0, 2), [
      ['USER', 'Hello?'],
      ['AGENT', 'Hello. What can I do for you?'],
    ]);
  }
  await service.close();
});

const ENDS: [who: string, end: (service: Service, call: Json, phone: string) => unknown][] = [
  ['a user', (service, { call_id }) => service.request('POST', `/api/calls/${call_id}/end`, { user: USER })],
  ['the phone', (service, { room_name }, phone) => service.media.hangUp(room_name, phone)],
  ['the media server', (service, { room_name }) => service.media.closeRoom(room_name)],
];
for (const [who, end] of ENDS)
  test(`a call that ${who} ends in mid-conversation gets nothing after its end`, async () => {
    const { media, speak, isWaiting } = haltingSandbox(1);
    const service = await startService({ media });
    const call = await answeredCall(service, { agent_id: await createAgent(service, { config: CONFIG }) });
    await speak();
    await speak();
    const before = await reported(service, call.call_id);
    assert.equal(before[0].length, 2);
    const phone = (await media.listParticipants(call.room_name)).find(({ kind }) => kind === 'SIP');
    await end(service, call, phone?.identity ?? assert.fail());
    await reaches(service, call.call_id, 'COMPLETED');
    await isWaiting(0);
    await media.close();
    const [transcript, turns, { events }] = await reported(service, call.call_id);
    assert.deepEqual([transcript, turns], before.slice(0, 2));
    // The line is billed at the end.
    const byWorker = events.filter(({ event_type }: Json) => !/^(telephony|media)_/.test(event_type));
    assert.deepEqual(byWorker, before[2].events);
    await service.close();
  });

test('an erasure in mid-conversation leaves nothing of the user, and nothing is added', async () => {
  const { media, speak, isWaiting } = haltingSandbox(1);
  const service = await startService({ media });
  const agent_id = await createAgent(service, { config: CONFIG });
  const { call_id } = await placeCall(service, '+15005550100', { agent_id, variables: VARIABLES });
  await speak();
  await speak();
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  await isWaiting(0);
  const { db } = service.database;
  assert.deepEqual(await db.selectFrom('transcripts').selectAll().execute(), []);
  assert.deepEqual(await db.selectFrom('turns').selectAll().execute(), []);
  const users = await db.selectFrom('usage_events').select('user_id').distinct().execute();
  assert.equal(users.length, 1);
  assert.notEqual(users[0]?.user_id, USER);
  assert.equal((await service.request('GET', `/api/calls/${call_id}`, { user: USER })).status, 404);
  await service.close();
});

test('a report about an erased user is refused, and ends the conversation', async () => {
  const { media, speak, say, isWaiting } = haltingSandbox(1);
  // The room stays open, as if the erasure were another process's.
  const service = await startService({ media: { ...media, closeRoom: async () => {} } });
  const agent_id = await createAgent(service, { config: CONFIG });
  await placeCall(service, '+15005550100', { agent_id, variables: VARIABLES });
  await speak();
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  await say();
  await media.close();
  await isWaiting(0);
  assert.deepEqual(await service.database.db.selectFrom('transcripts').selectAll().execute(), []);
  await service.close();
});

test('in calls beyond the limit, of an agent that has nothing to say, and where it is to be silent, nobody speaks', async () => {
  const { media, speak, isWaiting } = haltingSandbox(1);
  const service = await startService({ media });
  const agent_id = await createAgent(service, { config: CONFIG });
  const silent = await placeCall(service, '+15005550101', { agent_id, metadata: { sandbox: 'agent_is_silent' } });
  await reaches(service, silent.call_id, 'ANSWERED');
  const blank = await answeredCall(service, { agent_id: await createAgent(service) });
  const first = await answeredCall(service, { agent_id });
  await speak();
  const second = await answeredCall(service, { agent_id });
  await isWaiting(1);
  await speak();
  assert.equal((await said(service, first.call_id)).length, 2);
  for (const { call_id } of [silent, blank, second]) assert.deepEqual(await said(service, call_id), []);
  await service.close();
});
