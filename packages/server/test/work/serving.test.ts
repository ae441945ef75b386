import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { claim, complete, post, send, served, startChat } from '../support/chats.ts';

async function stateOf(service: Service): Promise<string> {
  const { status, body } = await service.request('GET', '/readyz');
  assert.deepEqual([status, body.status], [200, 'ok']);
  return body.workers.chat_turn;
}

/** Notes are written beside what they are about. */
const becomes = (service: Service, state: string) =>
  eventually(
    () => stateOf(service),
    (found) => found === state,
  );

/** As if nobody had been heard from for a minute. */
const silence = (service: Service) =>
  service.database.db
    .updateTable('leases')
    .set({ expires_at: new Date(0) })
    .where('name', '=', 'tasks served: chat_turn')
    .execute();

test('/readyz says who does the tasks of a kind, the same on every replica', async () => {
  const service = await served({ CHAT_ANSWER_TIMEOUT_S: '1' });
  const replica = await served({}, service.database);
  assert.equal(await stateOf(service), 'unused');
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  await becomes(replica, 'nobody');
  assert.equal((await answered).status, 503);
  // It has been given up, but somebody has asked.
  assert.equal(await stateOf(replica), 'nobody');
  const claimed = claim(service);
  await becomes(replica, 'ok');
  // It has more time for an answer there.
  const again = send(replica, chat_id, 'Hello?');
  const [task = assert.fail()] = await claimed;
  assert.equal((await complete(service, task, 'Good morning.')).status, 200);
  assert.equal((await again).status, 200);
  await silence(service);
  await becomes(service, 'nobody');
  await replica.close();
  await service.close();
});

test('a worker that is busy with a task, and claims no other, counts', async () => {
  const service = await served();
  const replica = await served({}, service.database);
  const chat_id = await startChat(service);
  const answered = send(service, chat_id, 'Hello?');
  const [task = assert.fail()] = await claim(service);
  await becomes(service, 'ok');
  await silence(service);
  const { task_id, lease_token } = task;
  assert.equal((await post(replica, `/api/worker/tasks/${task_id}/heartbeat`, { lease_token }, null)).status, 200);
  await becomes(service, 'ok');
  await complete(service, task, 'Good morning.');
  await answered;
  await replica.close();
  await service.close();
});
