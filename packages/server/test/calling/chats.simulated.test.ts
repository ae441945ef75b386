import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { send, startChat, transcriptOf } from '../support/chats.ts';

test('in the sandbox an answer and its usage are written together, or neither is', async () => {
  const service = await startService();
  const { db } = service.database;
  const chat_id = await startChat(service);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse before insert on usage_events for each row execute function refuse()`.execute(db);
  const answered = send(service, chat_id, 'When do you open on Sunday?');
  const failed = await eventually(
    () => db.selectFrom('work').select(['id', 'last_error']).where('key', '=', chat_id).executeTakeFirst(),
    (work) => work?.last_error != null,
  );
  assert.deepEqual(await transcriptOf(service, chat_id), [['USER', 'When do you open on Sunday?']]);
  await sql`drop trigger refuse on usage_events`.execute(db);
  assert.equal((await service.request('POST', `/api/work/${failed?.id}/retry`)).status, 200);
  assert.equal((await answered).body.content, 'The library opens at ten on Sundays.');
  const costs = (await service.request('GET', `/api/sessions/${chat_id}/costs`, { user: USER })).body;
  assert.equal(costs.events.length, 1);
  await service.close();
});
