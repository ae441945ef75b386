import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

test('a call that cannot be read before its phone is dialled is settled by the reconciler', async (t) => {
  const clock = createTestClock();
  const database = await openTestDatabase();
  t.after(database.close);
  const sandbox = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  let dialled = 0;
  const media: typeof sandbox = {
    ...sandbox,
    createRoom: async (room) => {
      await sandbox.createRoom(room);
      await sql`alter table suppressions rename to away`.execute(database.db);
    },
    dial: (...dial) => {
      dialled++;
      return sandbox.dial(...dial);
    },
  };
  const service = await startService({ database, media, clock });
  const agent_id = await createAgent(service);
  const body = { agent_id, phone_number: '+15005550100' };
  assert.equal((await service.request('POST', '/api/calls/outbound', { user: USER, body })).status, 500);
  await sql`alter table away rename to suppressions`.execute(database.db);
  const { id } = await database.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  const ended = await eventually(
    async () => {
      clock.advance(10_000);
      await service.app.reconcile();
      return (await service.request('GET', `/api/calls/${id}`, { user: USER })).body;
    },
    ({ status }) => status === 'FAILED',
  );
  assert.deepEqual([ended.end_reason, dialled], ['interrupted', 0]);
  await service.close();
});

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

test('a phone that answers as its call is canceled is billed once, although the database could not take it', async (t) => {
  const database = await openTestDatabase();
  t.after(database.close);
  const { db } = database;
  let answer = () => {};
  const media = createSandboxMedia({ clock: systemClock, ringMs: 60_000 });
  const dial = async () => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { answered: true as const };
  };
  const service = await startService({ database, media: { ...media, dial } });
  const { call_id } = await placeCall(service, '+15005550100');
  await service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  await sql`create sequence attempts`.execute(db);
  await sql`create function shut_down() returns trigger language plpgsql as $$ begin
    if nextval('attempts') <= 2 then raise exception 'shutting down' using errcode = '57P01'; end if;
    return new;
  end $$`.execute(db);
  await sql`create trigger shut_down before insert on usage_events for each row execute function shut_down()`.execute(
    db,
  );
  answer();
  const lines = await eventually(
    async () => (await service.request('GET', `/api/usage/events?session_id=${call_id}`, { user: USER })).body.items,
    (items) => items.length > 0,
  );
  const types = lines.map(({ event_type }: { event_type: string }) => event_type).sort();
  assert.deepEqual(types, ['media_minutes', 'telephony_minutes']);
  await service.close();
});

test('a call whose room takes long is not taken for one of a dead process by the process that places it', async () => {
  const clock = createTestClock();
  const media = createSandboxMedia({ clock: systemClock, ringMs: 1 });
  const slow = Promise.withResolvers<void>();
  const createRoom: typeof media.createRoom = async (room) => {
    await slow.promise;
    await media.createRoom(room);
  };
  const service = await startService({ clock, media: { ...media, createRoom } });
  const placed = placeCall(service, '+15005550100');
  const { call_id } = await eventually(
    async () => (await service.request('GET', '/api/calls', { user: USER })).body.items[0],
    (call) => call !== undefined,
  );
  for (let round = 0; round < 3; round++) {
    await service.app.reconcile();
    clock.advance(4_000);
  }
  slow.resolve();
  await placed;
  await reaches(service, call_id, 'ANSWERED');
  await service.close();
});
