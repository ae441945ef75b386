import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { ended, library, OPENS_AT, resultsOf, save, saveSuite, scenario, send, start } from '../support/tests.ts';

const service = await startService();
after(() => service.close());

test('in the sandbox a suite is run with a version by rules, and says that it is simulated', async () => {
  const agent_id = await library(service);
  const suite = await saveSuite(service, [
    await save(service, scenario('opens', 'ten', 'runs: 3\n')),
    await save(service, scenario('wrong hour', 'nine', 'critical: true\n')),
    await save(service, scenario('spoken', 'ten', 'mode: audio\n')),
  ]);
  const begun = await start(service, { agent_id, suite });
  assert.deepEqual([begun.purpose, begun.suite, begun.is_simulated, begun.scenarios], ['test', suite, true, 3]);
  const run = await ended(service, begun);
  assert.deepEqual([run.status, run.passed, run.failed, run.invalid], ['failed', 1, 1, 1]);
  assert.ok(run.created_at <= run.started_at && run.started_at <= run.ended_at);
  const [opens = assert.fail(), wrong = assert.fail(), spoken = assert.fail()] = await resultsOf(service, run);
  assert.deepEqual([opens.name, opens.status, opens.verdict, opens.passed], ['opens', 'passed', 'passed', 3]);
  assert.deepEqual([opens.interval.low.toFixed(2), opens.interval.high], ['0.44', 1]);
  const [conversation, ...others] = opens.conversations;
  assert.deepEqual([conversation.times, others], [3, []]);
  const [turn] = conversation.turns;
  assert.deepEqual([turn.heard, turn.words], ['When do you open on Sunday?', 'The library opens at ten on Sundays.']);
  assert.deepEqual([wrong.status, wrong.verdict, wrong.critical, wrong.failed], ['failed', 'regressed', true, 1]);
  assert.match(wrong.problems[0], /the agent says "nine".*not said/);
  assert.deepEqual([spoken.status, spoken.verdict, spoken.invalid], ['invalid', 'unknown', 1]);
});

test('tools answer as the scenario says, and the trace has their arguments, their answers and the world', async () => {
  const functions = [
    {
      name: 'book_appointment',
      description: 'Books an appointment on a day.',
      parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
      url: 'https://example.com/book',
    },
  ];
  const agent_id = await createAgent(service, {
    config: { instructions: 'You are at the practice.', tools: { functions } },
  });
  const text = `scenario: books
caller: { script: [{ say: "book an appointment on Friday" }] }
world: { bookings: [] }
tools: { book_appointment: { patch: [{ op: add, path: /bookings/-, value: { day: Friday } }], return: { booked: Friday } } }
expect: [{ tool: book_appointment, times: 1 }, { world: { bookings: [{ day: Friday }] } }]`;
  const run = await ended(service, await start(service, { agent_id, scenarios: [await save(service, text)] }));
  const [result = assert.fail()] = await resultsOf(service, run);
  assert.equal(run.status, 'passed', JSON.stringify(result));
  const [{ turns, world }] = result.conversations;
  const [call] = turns[0].calls;
  assert.deepEqual(
    [call.name, call.arguments, call.text, call.is_error],
    ['book_appointment', { day: 'Friday' }, '{"booked":"Friday"}', false],
  );
  assert.deepEqual(world, { bookings: [{ day: 'Friday' }] });
});

test('a draft is tested without being live, and two versions of an agent have results of their own', async () => {
  const agent_id = await library(service, 'nine');
  const scenarios = [await save(service, scenario('opens'))];
  await send(service, 'PUT', `/api/agents/${agent_id}/draft`, { name: 'Desk', config: OPENS_AT('ten') });
  const draft = await ended(service, await start(service, { agent_id, agent_version: 'draft', scenarios }));
  const live = await ended(service, await start(service, { agent_id, agent_version: 1, scenarios, runs: 2 }));
  assert.deepEqual([draft.agent_version, draft.status], [2, 'passed']);
  assert.deepEqual([live.agent_version, live.status], [1, 'failed']);
  assert.deepEqual([(await resultsOf(service, live))[0]?.failed], [2]);
  assert.equal((await send(service, 'GET', `/api/agents/${agent_id}/release`)).body.arms[0].version, 1);
  const { items } = (await send(service, 'GET', `/api/test-runs?agent_id=${agent_id}`)).body;
  assert.deepEqual(
    items.map(({ id }: Json) => id),
    [live.id, draft.id],
  );
});

test('a scenario that grows beyond its memory, or a configuration that rules cannot read, has no result, and the service goes on', async () => {
  const patch = Array.from({ length: 60 }, () => '{ op: copy, from: /a, path: /a/- }').join(', ');
  const grows = `scenario: grows
caller: { script: [{ say: "book an appointment on Friday" }] }
world: { a: ["${'x'.repeat(100)}"] }
tools: { book_appointment: { patch: [${patch}] } }
expect: [{ agent_says: "a" }]`;
  const functions = [
    {
      name: 'book_appointment',
      description: 'Books an appointment.',
      parameters: { type: 'object', properties: {} },
      url: 'https://example.com/',
    },
  ];
  const agent_id = await createAgent(service, { config: { instructions: 'x', tools: { functions } } });
  const scenarios = [await save(service, grows)];
  const run = await ended(service, await start(service, { agent_id, scenarios }));
  const [result = assert.fail()] = await resultsOf(service, run);
  assert.deepEqual(
    [run.status, result.status, result.conversations],
    ['invalid', 'invalid', []],
    JSON.stringify(result),
  );
  assert.match(result.error, /took more than/);
  const broken = await createAgent(service, {
    config: { instructions: 'x', tools: { transfer: { destinations: 'none' } } },
  });
  const unread = await ended(service, await start(service, { agent_id: broken, scenarios }));
  assert.equal(unread.status, 'invalid');
});

test('a request that cannot be run is refused as a whole', async () => {
  const agent_id = await library(service);
  const scenarios = [await save(service, scenario('opens'))];
  const refused = async (fields: Json) => {
    const { status, body } = await send(service, 'POST', '/api/test-runs', {
      agent_id,
      agent_version: 1,
      scenarios,
      ...fields,
    });
    return [status, body.detail?.[0]?.loc?.at(-1) ?? body.code];
  };
  assert.deepEqual(await refused({ agent_version: 7 }), [422, 'agent_version']);
  assert.deepEqual(await refused({ scenarios: [agent_id] }), [422, 0]);
  assert.deepEqual(await refused({ suite: scenarios[0] }), [422, 'suite']);
  assert.deepEqual(await refused({ suite: scenarios[0], scenarios: undefined }), [422, 'suite']);
  assert.deepEqual(await refused({ scenarios: undefined }), [422, 'suite']);
  assert.deepEqual(await refused({ agent_id: scenarios[0] }), [404, 'not_found']);
  assert.deepEqual(await refused({ runs: 101 }), [422, 'runs']);
});

test('a repeated request with an Idempotency-Key starts one run', async () => {
  const agent_id = await library(service);
  const scenarios = [await save(service, scenario('opens'))];
  const request = () =>
    service.request('POST', '/api/test-runs', {
      user: USER,
      headers: { 'idempotency-key': 'once' },
      body: { agent_id, agent_version: 1, scenarios },
    });
  const [one, two] = [await request(), await request()];
  assert.deepEqual([one.status, two.status, two.body.id], [201, 201, one.body.id]);
});

test('the end of a run is reported once; a run is no call: no session, no usage, no statistics', async () => {
  const receiver = await startReceiver();
  await send(service, 'POST', '/api/webhook-endpoints', { url: `${receiver.url}/tests` });
  const agent_id = await library(service);
  const count = async () => (await send(service, 'GET', '/api/sessions/?limit=100')).body.length;
  const before = await count();
  const scenarios = [await save(service, scenario('opens')), await save(service, scenario('opens too'))];
  const run = await ended(service, await start(service, { agent_id, scenarios }));
  const reports = await eventually(
    async () =>
      receiver
        .at('/tests')
        .map(({ body }) => JSON.parse(body))
        .filter(({ data }) => data.id === run.id),
    (all) => all.length > 0,
  );
  assert.deepEqual(
    reports.map(({ type, data }) => [type, data.id, data.status, data.passed]),
    [['test_run.finished', run.id, 'passed', 2]],
  );
  assert.equal(await count(), before);
  assert.equal((await send(service, 'GET', `/api/usage/events?agent_id=${agent_id}`)).body.items.length, 0);
  await receiver.close();
});
