import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answeredCall, createAgent, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
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
