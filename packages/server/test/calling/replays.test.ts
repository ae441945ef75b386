import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { forksOf } from '../../src/calling/test-runs/forks.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { claim, complete, ended, PASSED, resultsOf, send } from '../support/tests.ts';

const service = await startService();
after(() => service.close());

const replay = (id: string, body: Json, user = USER, of: Service = service) =>
  send(of, 'POST', `/api/calls/${id}/replay`, body, user);
const QUESTIONS = ['When do you open on Sunday?', 'I would like to speak to a colleague, please.'];
const opens = (hour: string) => `The library opens at ${hour} on Sundays.`;
const TRANSFER = { transfer: { destinations: [{ name: 'colleague', phone_number: '+15005550001' }] } };

/** A call that has ended, with what was said in it. */
async function heardCall(of: Service, agent_id: string, said: [string, string][]): Promise<string> {
  const { call_id, room_name } = await answeredCall(of, { agent_id });
  for (const [speaker, content] of said)
    await send(of, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, { speaker, content });
  assert.equal((await send(of, 'POST', `/api/calls/${call_id}/end`)).status, 200);
  return call_id;
}

test('a chat is replayed with another version: where it forks, what that calls, and what it costs', async () => {
  const agent_id = await createAgent(service, { config: { instructions: opens('nine') } });
  const config = { instructions: opens('ten'), tools: TRANSFER };
  await send(service, 'PATCH', `/api/agents/${agent_id}`, { config });
  const { chat_id } = (await send(service, 'POST', '/api/chats', { agent_id })).body;
  for (const content of QUESTIONS) await send(service, 'POST', `/api/chats/${chat_id}/messages`, { content });
  const of = async (agent_version: number) => {
    const { status, body } = await replay(chat_id, { agent_version });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.agent_id, body.agent_version, body.scenarios], [agent_id, agent_version, 1]);
    const [result = assert.fail()] = await resultsOf(service, await ended(service, body));
    return result;
  };
  const same = await of(2);
  // The sandbox's functions answer a chat otherwise than a test: the words after a call are other ones.
  assert.deepEqual(
    [same.replay.call_id, same.replay.agent_version, same.replay.words_fork, same.replay.calls_fork],
    [chat_id, 2, { recorded: 1, replayed: 1 }, null],
  );
  const called = [{ name: 'transfer', arguments: { destination: 'colleague' } }];
  assert.deepEqual(
    same.replay.turns.map((turn: Json) => [turn.heard, turn.calls]),
    [
      [QUESTIONS[0], []],
      [QUESTIONS[1], called],
    ],
  );
  const older = await of(1);
  assert.deepEqual(
    [older.scenario_id, older.replay.words_fork, older.replay.calls_fork],
    [null, { recorded: 0, replayed: 0 }, { recorded: 1, replayed: 1 }],
  );
  const [conversation] = older.conversations;
  assert.deepEqual(
    [conversation.turns[0].words, conversation.turns[1].calls, conversation.cost],
    [opens('nine'), [], '0'],
  );
});

test('the calls of a week are one test run, and tools that were not recorded are no fork', async () => {
  const agent_id = await createAgent(service, { config: { instructions: opens('ten'), tools: TRANSFER } });
  const first = await heardCall(service, agent_id, [
    ['AGENT', 'Good day.'],
    ['USER', QUESTIONS[0] ?? ''],
    ['AGENT', opens('ten')],
  ]);
  const since = new Date().toISOString();
  const second = await heardCall(service, agent_id, [['USER', QUESTIONS[1] ?? '']]);
  await heardCall(service, agent_id, [['AGENT', 'Hello?']]);
  const run = async (calls: Json) => {
    const { status, body } = await send(service, 'POST', '/api/test-runs', { agent_id, agent_version: 1, calls });
    assert.equal(status, 201, JSON.stringify(body));
    return resultsOf(service, await ended(service, body));
  };
  const all = await run({});
  assert.deepEqual(
    all.map(({ replay: { call_id, calls_fork } }) => [call_id, calls_fork]),
    [
      [second, null],
      [first, null],
    ],
  );
  // The greeting is not said by this version, and the other words are the same.
  assert.deepEqual(all[1]?.replay.words_fork, { recorded: 0, replayed: null });
  assert.deepEqual([all[1]?.replay.turns[1].calls, all[1]?.replay.turns[1].words], [null, opens('ten')]);
  assert.deepEqual(
    (await run({ from: since })).map((one) => one.replay.call_id),
    [second],
  );
  assert.deepEqual(
    (await run({ to: since })).map((one) => one.replay.call_id),
    [first],
  );
  assert.equal((await run({ limit: 2 })).length, 1);
});

test('replayed calls are chosen by the filters of the list of calls', async () => {
  const agent_id = await createAgent(service, { config: { instructions: opens('nine') } });
  const older = await heardCall(service, agent_id, [['USER', 'Do you have a parking lot?']]);
  await send(service, 'PATCH', `/api/agents/${agent_id}`, { config: { instructions: opens('ten') } });
  const newer = await heardCall(service, agent_id, [['USER', 'When do you open?']]);
  const { from_number, to_number, direction, end_reason } = (await send(service, 'GET', `/api/calls/${newer}`)).body;
  const chosen = async (calls: Json) => {
    const answer = await send(service, 'POST', '/api/test-runs', { agent_id, agent_version: 2, calls });
    if (answer.status !== 201) return problemsOf(answer);
    const results = await resultsOf(service, await ended(service, answer.body));
    return results.map(({ replay: { call_id } }) => call_id);
  };
  const both = [newer, older];
  assert.deepEqual(await chosen({ direction, end_reason, number: to_number ?? from_number }), both);
  assert.deepEqual(await chosen({ agent_version: 1 }), [older]);
  assert.deepEqual(await chosen({ q: 'parking' }), [older]);
  assert.deepEqual(await chosen({ q: 'open', agent_version: 2, limit: 1 }), [newer]);
  const none = ['body.calls value_error'];
  for (const calls of [
    { direction: 'WEB' },
    { end_reason: 'max_duration' },
    { analysis: { outcome: 'booked' } },
    { q: '?' },
  ])
    assert.deepEqual(await chosen(calls), none, JSON.stringify(calls));
  assert.deepEqual(await chosen({ agent_version: 0 }), ['body.calls.agent_version greater_than_equal']);
  assert.deepEqual(await chosen({ outcome: 'x' }), ['body.calls.outcome extra_forbidden']);
  const listed = await send(service, 'GET', `/api/calls/?agent_id=${agent_id}&agent_version=1`);
  assert.deepEqual(
    listed.body.items.map((call: Json) => call.call_id),
    [older],
  );
});

test('what cannot be replayed is refused', async () => {
  const agent_id = await createAgent(service);
  const silent = await heardCall(service, agent_id, []);
  assertRefused(await replay(silent, { agent_version: 1 }, 'other'), 404, 'not_found');
  assertRefused(await replay(agent_id, { agent_version: 1 }), 404, 'not_found');
  assert.deepEqual(problemsOf(await replay(silent, { agent_version: 1 })), ['body.call_id value_error']);
  assert.deepEqual(problemsOf(await replay(silent, {})), ['body.agent_version missing']);
  const start = (fields: Json) => send(service, 'POST', '/api/test-runs', { agent_id, agent_version: 1, ...fields });
  assert.deepEqual(problemsOf(await start({ calls: {} })), ['body.calls value_error']);
  assert.deepEqual(problemsOf(await start({ calls: {}, suite: agent_id })), ['body.calls value_error']);
  assert.deepEqual(problemsOf(await start({ calls: { limit: 101 } })), ['body.calls.limit less_than_equal']);
  assertRefused(await start({ agent_id: silent, calls: {} }), 404, 'not_found');
  const heard = await heardCall(service, agent_id, [['USER', 'Hello.']]);
  assert.deepEqual(problemsOf(await replay(heard, { agent_version: 7 })), ['body.agent_version value_error']);
});

test('what is recorded of a replayed call is kept for thirty days', async () => {
  const clock = createTestClock();
  clock.set(new Date().toISOString());
  const { runScenario: _, ...media } = createSandboxMedia({ clock, ringMs: 20 });
  const worked = await startService({ media, clock });
  const agent_id = await createAgent(worked);
  const call_id = await heardCall(worked, agent_id, [['USER', 'Hello.']]);
  const cassette = { format: 'switchboard.cassette/1', scenario: 'x', settings: [], exchanges: [{ key: 'a' }] };
  const taskOf = async (mode: string) => {
    assert.equal((await replay(call_id, { agent_version: 1, cassette: mode }, USER, worked)).status, 201);
    const [task = assert.fail()] = await claim(worked);
    return task;
  };
  const task = await taskOf('record');
  assert.deepEqual(task.payload.scenario.caller.script, [{ say: 'Hello.' }, { hang_up: true }]);
  assert.equal((await complete(worked, task, { ...PASSED, cassette })).status, 200);
  const again = await taskOf('replay');
  assert.deepEqual(again.payload.cassette, { mode: 'replay', recorded: cassette });
  await complete(worked, again);
  const count = async () => (await worked.database.db.selectFrom('cassettes').select('id').execute()).length;
  assert.equal(await count(), 1);
  clock.advance(31 * DAY_MS);
  await worked.app.reconcile();
  assert.equal(await count(), 0);
  assert.deepEqual(await worked.database.db.selectFrom('test_replays').select('result_id').execute(), []);
  await worked.close();
});

test('forks are found where turns are missing on either side', () => {
  const turn = (heard: string | null, words: string, calls: { name: string; arguments: object }[] | null = []) =>
    ({ heard, words, calls }) as Parameters<typeof forksOf>[0][number] & Parameters<typeof forksOf>[1][number];
  const book = { name: 'book', arguments: { a: 1, b: 2 } };
  assert.deepEqual(
    forksOf(
      [turn(null, 'Hi.'), turn('x', 'A  b', [book])],
      [turn(null, 'hi.'), turn('x', 'a b', [{ ...book, arguments: { b: 2, a: 1 } }])],
    ),
    {
      words_fork: null,
      calls_fork: null,
    },
  );
  assert.deepEqual(forksOf([turn('x', 'A'), turn('y', 'B', [book])], [turn('x', 'A', [book])]), {
    words_fork: { recorded: 1, replayed: null },
    calls_fork: { recorded: 0, replayed: 0 },
  });
  assert.deepEqual(forksOf([turn('x', 'A', null)], [turn(null, 'Hi.'), turn('x', 'A', [book])]), {
    words_fork: { recorded: null, replayed: 0 },
    calls_fork: null,
  });
});
