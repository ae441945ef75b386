import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { assertRefused } from '../support/answers.ts';
import { CONFIG, claim, complete, post, send, served, startChat, transcriptOf } from '../support/chats.ts';

const SUNDAY = 'When do you open on Sunday?';
const CARD = 'How much is a library card?';
const UNKNOWN = '01980000-0000-7000-8000-000000000000';

const rewind = (service: Service, chat_id: string, to_message: unknown, user = USER) =>
  post(service, `/api/chats/${chat_id}/rewind`, { to_message } as Json, user);
const fork = (service: Service, chat_id: string, body: Json = {}, user = USER) =>
  post(service, `/api/chats/${chat_id}/fork`, body, user);
const saidIn = async (service: Service, chat_id: string) =>
  (await transcriptOf(service, chat_id)).map(([, content]) => content);
const chatsIn = (service: Service) => service.database.db.selectFrom('chats').selectAll().execute();

/** A chat with two questions and their answers. */
async function longChat(service: Service) {
  const chat_id = await startChat(service, { metadata: { crm_id: 'C-17' } });
  const { body: first } = await send(service, chat_id, SUNDAY);
  const { body: second } = await send(service, chat_id, CARD);
  return { chat_id, first, second };
}

test('a chat is rewound to a message: what follows is gone, and the next answer does not know it', async () => {
  const service = await startService();
  const { chat_id, first } = await longChat(service);
  const { status, body } = await rewind(service, chat_id, first.message_id);
  assert.deepEqual([status, body.chat_id], [200, chat_id]);
  assert.deepEqual(await saidIn(service, chat_id), [SUNDAY, first.content]);
  assert.deepEqual((await chatsIn(service))[0]?.messages, 2);
  await rewind(service, chat_id, first.in_reply_to);
  assert.deepEqual(await saidIn(service, chat_id), [SUNDAY]);
  await rewind(service, chat_id, null);
  assert.deepEqual(await saidIn(service, chat_id), []);
  assert.equal((await send(service, chat_id, SUNDAY)).body.content, first.content);
  const { body: costs } = await service.request('GET', `/api/sessions/${chat_id}/costs`, { user: USER });
  assert.ok(costs.events.length >= 2, 'what was deleted has still cost something');
  await service.close();
});

test('a chat is rewound neither while a message waits for its answer, nor once it has ended', async () => {
  const service = await served();
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  assertRefused(await rewind(service, chat_id, null), 409, 'turn_in_progress');
  assert.equal((await complete(service, task, 'Hello.')).status, 200);
  assert.equal((await answered).status, 200);
  await post(service, `/api/chats/${chat_id}/end`);
  assertRefused(await rewind(service, chat_id, null), 409, 'session_over');
  assert.equal((await transcriptOf(service, chat_id)).length, 2);
  await service.close();
});

test('a message that is not of the chat, or no message at all, is a 422; a chat of another user is a 404', async () => {
  const service = await startService();
  const { chat_id } = await longChat(service);
  const { second: foreign } = await longChat(service);
  for (const to_message of [UNKNOWN, foreign.message_id]) {
    for (const refused of [await rewind(service, chat_id, to_message), await fork(service, chat_id, { to_message })]) {
      assert.equal(refused.status, 422);
      assert.deepEqual(refused.body.detail[0].loc, ['body', 'to_message']);
    }
  }
  for (const wrong of ['last', 7, undefined]) assert.equal((await rewind(service, chat_id, wrong)).status, 422);
  assert.equal((await fork(service, chat_id, { to: null })).status, 422);
  assertRefused(await rewind(service, chat_id, null, 'other'), 404, 'not_found');
  assertRefused(await fork(service, chat_id, {}, 'other'), 404, 'not_found');
  assertRefused(await rewind(service, UNKNOWN, null), 404, 'not_found');
  assert.equal((await transcriptOf(service, chat_id)).length, 4);
  await service.close();
});

test('a fork begins with the messages of the other chat, its variables and its version, and both go on alone', async () => {
  const service = await startService();
  const { chat_id, first, second } = await longChat(service);
  await post(service, `/api/chats/${chat_id}/end`);
  const { status, body } = await fork(service, chat_id);
  assert.deepEqual([status, body.status, body.agent_version], [201, 'ACTIVE', 1]);
  assert.deepEqual(await transcriptOf(service, body.chat_id), await transcriptOf(service, chat_id));
  const { body: shorter } = await fork(service, chat_id, { to_message: first.message_id });
  assert.deepEqual(await saidIn(service, shorter.chat_id), [SUNDAY, first.content]);
  const { content } = (await send(service, shorter.chat_id, CARD)).body;
  assert.equal(content, second.content);
  assert.equal((await saidIn(service, chat_id)).length, 4);
  const { body: empty } = await fork(service, chat_id, { to_message: null });
  assert.deepEqual(await saidIn(service, empty.chat_id), []);
  assert.equal((await send(service, empty.chat_id, SUNDAY)).body.content, 'The library opens at ten on Sundays.');
  await service.close();
});

test('a fork with the draft answers by the draft', async () => {
  const service = await startService();
  const { chat_id, first } = await longChat(service);
  const { agent_id } = (await service.request('GET', `/api/chats/${chat_id}`, { user: USER })).body;
  const config = { instructions: CONFIG.instructions.replace('{{hour}}', 'noon') };
  await service.request('PUT', `/api/agents/${agent_id}/draft`, { user: USER, body: { name: 'Library', config } });
  const { body } = await fork(service, chat_id, { to_message: first.message_id, agent_version: 'draft' });
  assert.notEqual(body.agent_version, 1);
  assert.equal((await send(service, body.chat_id, SUNDAY)).body.content, 'The library opens at noon on Sundays.');
  await service.close();
});

test('a fork counts as a chat, is made once for an Idempotency-Key, and is erased with its user', async () => {
  const service = await startService({ env: { CALLS_CONCURRENT: '1', CALLS_BURST: '100' } });
  const { chat_id } = await longChat(service);
  const again = () =>
    service.request('POST', `/api/chats/${chat_id}/fork`, {
      user: USER,
      body: {},
      headers: { 'idempotency-key': 'fork-1' },
    });
  const { body: forked } = await again();
  assert.equal((await again()).body.chat_id, forked.chat_id);
  assert.equal((await chatsIn(service)).length, 2);
  for (let more = 0; more < 8; more++) assert.equal((await fork(service, chat_id)).status, 201);
  assertRefused(await fork(service, chat_id), 429, 'too_many_calls');
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  assert.deepEqual(await chatsIn(service), []);
  assert.deepEqual(await service.database.db.selectFrom('transcripts').selectAll().execute(), []);
  assert.deepEqual(await service.database.db.selectFrom('chat_events').selectAll().execute(), []);
  await service.close();
});
