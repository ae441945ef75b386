import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { claim, complete, post, send, served } from '../support/chats.ts';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const opens = (hour: string) => ({ instructions: `The library opens at ${hour} on Sundays.` });

async function chatWith(service: Service, agent_id: string, fields: object = {}) {
  const { status, body } = await post(service, '/api/chats', { agent_id, ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** The payload of the task to answer a message. */
async function turnIn(service: Service, chat_id: string) {
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  await complete(service, task, 'Hello.');
  await answered;
  return task.payload;
}

test('a chat keeps the version that calls got when it began, whatever is released meanwhile', async () => {
  const service = await served();
  const { id, made, release } = await nightAgent(service, USER);
  const { chat_id, agent_version } = await chatWith(service, id);
  await release([await made(MORNING), 100]);
  const turn = await turnIn(service, chat_id);
  assert.deepEqual([agent_version, turn.agent_version, turn.config], [1, 1, NIGHT]);
  const { chat_id: later } = await chatWith(service, id);
  assert.deepEqual((await turnIn(service, later)).config, MORNING);
  await service.close();
});

test('a chat gets the version that it names, and one that the agent has not is a 422', async () => {
  const service = await served();
  const { id, made } = await nightAgent(service, USER);
  const number = await made(MORNING);
  const { chat_id, agent_version } = await chatWith(service, id, { agent_version: number });
  assert.equal(agent_version, number);
  assert.deepEqual((await turnIn(service, chat_id)).config, MORNING);
  const { status, body } = await post(service, '/api/chats', { agent_id: id, agent_version: 99 });
  assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'agent_version']]);
  assert.equal((await post(service, '/api/chats', { agent_id: id, agent_version: 'newest' })).status, 422);
  await service.close();
});

test('a chat with the draft answers by the draft, which no call gets', async () => {
  const service = await startService();
  const { id, send: change, agent } = await nightAgent(service, USER);
  await change('PUT', '/draft', { name: 'Desk', config: opens('nine') });
  const { chat_id, agent_version } = await chatWith(service, id, { agent_version: 'draft' });
  assert.equal(
    (await send(service, chat_id, 'When do you open on Sunday?')).body.content,
    'The library opens at nine on Sundays.',
  );
  const { body: version } = await change('GET', `/versions/${agent_version}`);
  assert.deepEqual([version.config, version.released_at], [opens('nine'), null]);
  assert.deepEqual((await agent()).config, NIGHT);
  await service.close();
});
