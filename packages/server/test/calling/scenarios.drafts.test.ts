import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { claim, complete, report, send as say, served } from '../support/chats.ts';
import { at, called } from '../support/drafts.ts';
import { ended, library, OPENS_AT, resultsOf, save, send, start } from '../support/tests.ts';

const service = await startService();
after(() => service.close());

const draft = (id: string, user = USER) => send(service, 'POST', `/api/calls/${id}/scenario`, undefined, user);

test('a chat becomes a scenario that can be saved, and run with its own version and with an older one', async () => {
  const agent_id = await library(service, 'nine');
  await send(service, 'PATCH', `/api/agents/${agent_id}`, { config: OPENS_AT('{{hour}}') });
  const { chat_id } = (await send(service, 'POST', '/api/chats', { agent_id, variables: { hour: 'ten: sharp' } })).body;
  await send(service, 'POST', `/api/chats/${chat_id}/messages`, { content: 'When do you open on Sunday?' });
  const { status, body } = await draft(chat_id);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.text, /^scenario: /);
  assert.match(body.text, /- \{ say: .?When do you open on Sunday\?.? \}/);
  assert.match(body.text, new RegExp(`id: ${agent_id}.*version: 2|id: ${agent_id}\\n\\s+version: 2`));
  const scenarios = [await save(service, body.text)];
  const of = async (agent_version: number) => {
    const run = await ended(service, await start(service, { agent_id, agent_version, scenarios }));
    const [result = assert.fail()] = await resultsOf(service, run);
    assert.equal(run.status, 'passed', JSON.stringify(result));
    return result.conversations[0].turns[0].words;
  };
  assert.equal(await of(2), 'The library opens at ten: sharp on Sundays.');
  assert.equal(await of(1), 'The library opens at nine on Sundays.');
});

test('a call becomes a scenario with a stand-in for each function; nobody else’s does, and nothing is saved', async () => {
  const functions = [
    {
      name: 'find_order',
      description: 'Finds an order.',
      url: 'https://example.com/',
      parameters: { type: 'object', properties: {} },
    },
  ];
  const agent_id = await createAgent(service, { config: { tools: { functions } } });
  const { call_id, room_name } = await answeredCall(service, { agent_id });
  for (const [speaker, content] of [
    ['AGENT', 'Hello.'],
    ['USER', 'yes: "no" # maybe\n- x'],
    ['USER', ' '],
    ['SYSTEM', 'noise'],
  ])
    await send(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, { speaker, content });
  const before = (await send(service, 'GET', '/api/scenarios')).body.items.length;
  const { status, body } = await draft(call_id);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await send(service, 'GET', '/api/scenarios')).body.items.length, before);
  const id = await save(service, body.text);
  const run = await ended(service, await start(service, { agent_id, scenarios: [id] }));
  const [result = assert.fail()] = await resultsOf(service, run);
  const [{ turns }] = result.conversations;
  assert.deepEqual(
    turns.map(({ heard }: { heard: string }) => heard),
    ['yes: "no" # maybe\n- x'],
  );
  assert.match(body.text, /find_order: \{ *\}/);
  assertRefused(await draft(call_id, 'other'), 404, 'not_found');
  assertRefused(await draft(agent_id), 404, 'not_found');
});

test('the functions of a chat answer as they did, call by call; one whose results are too long says that all is well', async () => {
  const worked = await served();
  const named = (name: string) => ({
    name,
    description: name,
    url: 'https://example.com/',
    parameters: { type: 'object', properties: {} },
  });
  const functions = ['find', 'book', 'note', 'long', 'unused'].map(named);
  const agent_id = await createAgent(worked, { config: { tools: { functions } } });
  const { chat_id } = (await send(worked, 'POST', '/api/chats', { agent_id })).body;
  const turn = async (content: string, ...results: [name: string, result: string | null, is_error?: boolean][]) => {
    const answered = say(worked, chat_id, content);
    const [task = assert.fail()] = await claim(worked);
    for (const [at, [name, result, is_error = false]] of results.entries()) {
      const call_id = `c${at}`;
      await report(worked, task, { type: 'tool_call', call_id, name, arguments: {} });
      if (result !== null) await report(worked, task, { type: 'tool_result', call_id, result, is_error });
    }
    await complete(worked, task, 'Done.');
    assert.equal((await answered).status, 200);
  };
  await turn(
    'Find it.',
    ['find', '{"id":7}'],
    ['book', 'no JSON: "x"'],
    ['book', 'no JSON: "x"'],
    ['long', 'x'.repeat(5_000)],
  );
  await turn('Again.', ['find', 'broken', true], ['note', null], ['find', '[]']);
  const { body } = await send(worked, 'POST', `/api/calls/${chat_id}/scenario`);
  await save(worked, body.text);
  const tools = /^tools:\n(.*?)^expect:/ms.exec(body.text)?.[1] ?? '';
  assert.equal(
    tools.replaceAll(/\s+/g, ' ').trim(),
    'find: - return: id: 7 on_call: 1 - status: 500 on_call: 2 - return: [] book: { text: "no JSON: \\"x\\"" } note: { time_out: true } long: {} unused: {}',
  );
  await worked.close();
});

test('the functions of a call answer as they did, in the scenario and in a replay, which tells where calls differ', async () => {
  const named = (name: string) => ({
    name,
    description: `${name} an order`,
    url: 'https://example.com/',
    parameters: { type: 'object', properties: {} },
  });
  const agent_id = await createAgent(service, {
    config: { tools: { functions: ['find', 'book', 'unused'].map(named) } },
  });
  const { call_id, room_name } = await answeredCall(service, { agent_id });
  for (const [second, speaker, content] of [
    [0, 'AGENT', 'Hello.'],
    [10, 'USER', 'Find my order.'],
    [20, 'AGENT', 'It is on its way.'],
    [30, 'USER', 'And the other one?'],
    [40, 'AGENT', 'I cannot find it.'],
  ] as const)
    await send(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, {
      speaker,
      content,
      timestamp: at(second),
    });
  // In the order in which they ended; the last one after the last words.
  const tool_calls = [
    called(41, 'hang_up', 'null'),
    called(12, 'find', '{"id":7}'),
    called(31, 'book', null),
    called(32, 'find', 'find failed: status 500', true),
  ];
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/turns`, { body: { tool_calls } })).status, 201);
  await service.request('POST', `/api/calls/${call_id}/end`);

  const { body } = await draft(call_id);
  const tools = /^tools:\n(.*?)^expect:/ms.exec(body.text)?.[1] ?? '';
  assert.equal(
    tools.replaceAll(/\s+/g, ' ').trim(),
    'find: - return: id: 7 on_call: 1 - status: 500 book: { time_out: true } unused: {}',
  );
  await save(service, body.text);
  const replayed = (await send(service, 'POST', `/api/calls/${call_id}/replay`, { agent_version: 1 })).body;
  const [{ replay } = assert.fail()] = await resultsOf(service, await ended(service, replayed));
  assert.deepEqual(
    replay.turns.map((turn: Json) => turn.calls.map((call: Json) => [call.name, call.arguments.second])),
    [
      [],
      [['find', 12]],
      [
        ['book', 31],
        ['find', 32],
        ['hang_up', 41],
      ],
    ],
  );
  assert.notEqual(replay.calls_fork, null);
});

test('results that are too long as YAML are left out, and calls that failed still do', async () => {
  const functions = ['find', 'book'].map((name) => ({ name, description: name, url: 'https://example.com/' }));
  const config = { tools: { functions } };
  const { call_id, room_name } = await answeredCall(service, { agent_id: await createAgent(service, { config }) });
  for (let count = 0; count < 12; count++)
    await send(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, { content: 'word '.repeat(600) });
  const result = JSON.stringify(Array(2_000).fill(1));
  const called_at = new Date().toISOString();
  const tool_calls = [
    { call_id: 'c1', name: 'find', arguments: {}, result, called_at },
    { call_id: 'c2', name: 'book', arguments: {}, result: '{}', called_at },
    { call_id: 'c3', name: 'book', arguments: {}, result: 'busy', is_error: true, called_at },
    { call_id: 'c4', name: 'transfer', arguments: {}, result: 'busy', is_error: true, called_at },
  ];
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/turns`, { body: { tool_calls } })).status, 201);
  const { status, body } = await draft(call_id);
  assert.equal(status, 200, JSON.stringify(body));
  const tools = /^tools:\n(.*?)^expect:/ms.exec(body.text)?.[1] ?? '';
  assert.equal(
    tools.replaceAll(/\s+/g, ' ').trim(),
    'transfer: { status: 500 } find: {} book: - on_call: 1 - status: 500',
  );
  await save(service, body.text);
});

test('a conversation that is too long for a scenario is drafted as far as there is room', async () => {
  const agent_id = await createAgent(service, { config: {} });
  const { call_id, room_name } = await answeredCall(service, { agent_id });
  for (let count = 0; count < 12; count++)
    await send(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, {
      content: `${count} ${'word '.repeat(600)}`,
    });
  const { body } = await draft(call_id);
  assert.match(body.text, /say: .?0 word/);
  await save(service, body.text);
});

test('a caller who was transferred without a word is drafted as one who hangs up', async () => {
  const { call_id } = await answeredCall(service, { agent_id: await createAgent(service, { config: {} }) });
  await send(service, 'POST', `/api/sessions/${call_id}/transfer`, { phone_number: '+15005550101', type: 'COLD' });
  const { status, body } = await draft(call_id);
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.text, /hang_up: true/);
  assert.match(body.text, /end_reason: caller_hung_up/);
});
