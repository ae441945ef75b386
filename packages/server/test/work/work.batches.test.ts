import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { claim, complete, send, served, startChat } from '../support/chats.ts';
import { watchStatements } from '../support/statements.ts';

const TASKS = 5;

test('a batch of tasks is claimed with one statement', async () => {
  const service = await served();
  const chats = await Promise.all(Array.from({ length: TASKS }, () => startChat(service)));
  const answers = chats.map((chat_id) => send(service, chat_id, 'Hello?'));
  await eventually(
    () => service.database.db.selectFrom('work').select('id').where('kind', '=', 'chat_turn').execute(),
    ({ length }) => length === TASKS,
  );
  const sent = watchStatements(service.database);
  const tasks = await claim(service, { capacity: TASKS, wait_s: 0 });
  const taking = sent.filter(
    ({ sql, parameters }) =>
      sql.includes('update work set attempts') && JSON.stringify(parameters).includes('chat_turn'),
  );
  assert.deepEqual([tasks.length, taking.length], [TASKS, 1]);
  for (const task of tasks) await complete(service, task, 'Hello.');
  assert.deepEqual(
    (await Promise.all(answers)).map(({ body }) => body.content),
    chats.map(() => 'Hello.'),
  );
  await service.close();
});
