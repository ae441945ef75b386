import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock, type TestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { killPrograms, startProgram } from '@switchboard/testkit/program.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { MAIN } from '@switchboard/testkit/service-process.ts';
import { sql } from 'kysely';
import { callbackTo } from './support/callbacks.ts';

const DAY_MS = 86_400_000;
const ENV = { TRANSCRIPT_RETENTION_DAYS: '30', CALLBACK_RETENTION_DAYS: '7' };
const receiver = await startReceiver();

const leaseOf = async ({ database: { db } }: Pick<Service, 'database'>, name: string) =>
  (await db.selectFrom('leases').select('holder').where('name', '=', name).executeTakeFirst())?.holder;
const rested = (service: Service) =>
  eventually(
    () => leaseOf(service, 'retention_rest'),
    (holder) => holder !== undefined,
  );
/** Lets the hour pass for which nobody tidies. */
const endRest = ({ database: { db } }: Pick<Service, 'database'>) =>
  db.deleteFrom('leases').where('name', '=', 'retention_rest').execute();

/** A service that has tidied once, with a transcript that is said to be ages old. */
async function startWithTranscript(options: { env?: Record<string, string>; clock?: TestClock } = {}) {
  // Patient: a test holds a lock for longer than a transaction may pause.
  const database = await openTestDatabase(true);
  const service = await startService({ database, ...options });
  await rested(service);
  const callback_url = `${receiver.url}/retention`;
  const { room_name, call_id } = await answeredCall(service, { callback_url });
  const body = { content: 'long ago', timestamp: '2001-01-01T00:00:00Z' };
  await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body });
  await service.request('POST', `/api/calls/${call_id}/end`);
  const close = async () => {
    await service.close();
    await database.close();
  };
  const transcripts = async (): Promise<number> =>
    (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items.length;
  return { service, database, close, transcripts };
}

test('transcripts and callbacks are deleted at the configured age, and not before', async () => {
  const clock = createTestClock();
  const { service, close, transcripts } = await startWithTranscript({ clock, env: ENV });
  // The last callback of a call: none is sent later, and found to be young.
  clock.advance(60_000);
  await service.app.reconcile();
  const isLast = ({ type, status }: { type: string; status: string }) =>
    type === 'call.report' && status === 'delivered';
  await callbackTo(service, `${receiver.url}/retention`, isLast);
  const counts = async () => [
    await transcripts(),
    Math.min(1, (await service.request('GET', '/api/callbacks?status=delivered')).body.items.length),
  ];
  const round = async () => {
    await endRest(service);
    await service.app.reconcile();
  };
  await round();
  assert.deepEqual(await counts(), [1, 1], 'an old timestamp makes nothing old');
  clock.advance(7 * DAY_MS + 60_000);
  await round();
  assert.deepEqual(await counts(), [1, 0]);
  clock.advance(23 * DAY_MS);
  await round();
  assert.deepEqual(await counts(), [0, 0]);
  await close();
});

test('without configuration nothing is deleted', async () => {
  const clock = createTestClock();
  const { service, close, transcripts } = await startWithTranscript({ clock });
  clock.advance(20 * 365 * DAY_MS);
  await endRest(service);
  await service.app.reconcile();
  assert.ok(await leaseOf(service, 'retention_rest'));
  assert.equal(await transcripts(), 1);
  await close();
});

test('replicas together clean up once an hour, and each at its start', async () => {
  const clock = createTestClock();
  const { service, database, close, transcripts } = await startWithTranscript({ clock, env: ENV });
  clock.advance(31 * DAY_MS);
  const first = await leaseOf(service, 'retention_rest');
  await service.app.reconcile();
  assert.equal(await transcripts(), 1, 'the hour has not passed');
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::float8 as seconds from leases where name = 'retention_rest'`.execute(
    database.db,
  );
  assert.ok((rows[0]?.seconds ?? 0) > 3000 && (rows[0]?.seconds ?? 0) <= 3600, JSON.stringify(rows));
  const second = await startService({ database, clock, env: ENV });
  await eventually(transcripts, (count) => count === 0);
  assert.equal(await leaseOf(service, 'retention_rest'), first, 'a start does not put off the next hour');
  await second.close();
  await close();
});

test('a replica does not clean up while another does, and takes over when that one has died', async () => {
  const clock = createTestClock();
  const { service, database, close, transcripts } = await startWithTranscript({ clock, env: ENV });
  clock.advance(31 * DAY_MS);
  await endRest(service);
  await sql`insert into leases values ('retention', 'another process', now() + interval '1 minute')`.execute(
    database.db,
  );
  await service.app.reconcile();
  assert.equal(await transcripts(), 1);
  await sql`update leases set expires_at = now() - interval '1 second' where name = 'retention'`.execute(database.db);
  await service.app.reconcile();
  assert.equal(await transcripts(), 0);
  assert.equal(await leaseOf(service, 'retention'), undefined);
  await close();
});

test('a failed round is counted, logged once, and retried in the next round', async () => {
  const clock = createTestClock();
  const { service, database, close, transcripts } = await startWithTranscript({ clock, env: ENV });
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    database.db,
  );
  await sql`create trigger refuse before delete on transcripts for each row execute function refuse()`.execute(
    database.db,
  );
  clock.advance(31 * DAY_MS);
  await endRest(service);
  await service.app.reconcile();
  await service.app.reconcile();
  const { body } = await service.request('GET', '/metrics');
  assert.match(body, /^upkeep_rounds_total\{task="retention",outcome="failed"\} 2$/m);
  assert.equal(service.logged().filter((line) => /"task":"retention"/.test(line) && /failed/.test(line)).length, 1);
  await sql`drop trigger refuse on transcripts`.execute(database.db);
  await service.app.reconcile();
  assert.equal(await transcripts(), 0);
  await close();
});

// The embedded database forgets all leases when it is opened: the only process that could hold one is gone.
if (process.env.TEST_DATABASE_URL) {
  test('the round of a process killed in the middle is taken over', async (t) => {
    const { service, database, close, transcripts } = await startWithTranscript({ env: ENV });
    t.after(close);
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = database.location.slice(database.location.lastIndexOf('/'));
    await sql`update transcripts set id = overlay(id::text placing '01000000-0000' from 1)::uuid`.execute(database.db);
    await endRest(service);
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table transcripts in exclusive mode`.execute(trx);
      const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL: url.href, ...ENV };
      t.after(killPrograms);
      const other = startProgram([process.execPath, MAIN], { env });
      await eventually(
        () => leaseOf(service, 'retention'),
        (holder) => holder !== undefined,
      );
      await other.end('SIGKILL');
    });
    await service.app.reconcile();
    assert.equal(await leaseOf(service, 'retention_rest'), undefined, 'the lease of the dead process has not run out');
    await sql`update leases set expires_at = now() - interval '1 second'`.execute(database.db);
    await service.app.reconcile();
    assert.ok(await leaseOf(service, 'retention_rest'));
    assert.equal(await transcripts(), 0);
  });
}
