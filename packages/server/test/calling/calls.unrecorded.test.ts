import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

test('an answer or a refusal that the database could not take is recorded once it can', async (t) => {
  const database = await openTestDatabase();
  t.after(database.close);
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let dialled = 0;
  const service = await startService({
    database,
    media: { ...media, dial: (...dial) => media.dial(...dial).finally(() => dialled++) },
  });
  const { db } = database;
  await sql`create sequence attempts`.execute(db);
  // A sequence counts the attempts that are rolled back too.
  await sql`create function shut_down() returns trigger language plpgsql as $$ begin
    if nextval('attempts') % 3 <> 0 then raise exception 'shutting down' using errcode = '57P01'; end if;
    return new;
  end $$`.execute(db);
  await sql`create trigger shut_down before update on sessions for each row
    when (old.call_status = 'RINGING' and new.call_status <> 'RINGING') execute function shut_down()`.execute(db);

  const answered = await placeCall(service, '+15005550100');
  assert.equal((await reaches(service, answered.call_id, 'ANSWERED')).end_reason, null);
  const busy = await placeCall(service, '+15005550001');
  const { end_reason, sip_status_code } = await reaches(service, busy.call_id, 'FAILED');
  assert.deepEqual([end_reason, sip_status_code], ['busy', 486]);
  assert.equal(dialled, 2, 'phones that were dialled');
});
