import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock, type TestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { killPrograms, NODE, startProgram } from '@switchboard/testkit/program.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { MAIN } from '@switchboard/testkit/service-process.ts';
import { sql } from 'kysely';
import { callbackTo } from '../support/callbacks.ts';
import { tidy } from '../support/tidy.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENV = { TRANSCRIPT_RETENTION_DAYS: '30', CALLBACK_RETENTION_DAYS: '7' };
const receiver = await startReceiver();

type Tidied = Pick<Service, 'database'>;
const row = ({ database: { db } }: Tidied) =>
  db.selectFrom('work').selectAll().where('kind', '=', 'retention').executeTakeFirst();
/** Nobody tidies, and the next round is an hour away. */
const rested = (service: Tidied) =>
  eventually(
    () => row(service),
    (work) => work !== undefined && work.leased_until === null && work.due_at > work.created_at && work.attempts === 0,
  );

/** Connections to this database that wait for a lock, by their process ids. */
async function waitingForLock({ db }: Service['database']): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** The minute passes for which a process holds the work. */
const expireLease = ({ database: { db } }: Tidied) =>
  sql`update work set leased_until = now() - interval '1 second' where kind = 'retention'`.execute(db);

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
  const round = () => service.app.reconcile();
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
  await service.app.reconcile();
  await rested(service);
  assert.equal(await transcripts(), 1);
  await close();
});

test('a hundred years are longer than anything is stored', async () => {
  const { service, close, transcripts } = await startWithTranscript({ env: { TRANSCRIPT_RETENTION_DAYS: '36500' } });
  await tidy(service);
  assert.equal(await transcripts(), 1);
  await close();
});

/** Makes the transcript older than any retention: ages are those of ids. */
const age = ({ database: { db } }: Tidied) =>
  sql`update transcripts set id = overlay(id::text placing '01000000-0000' from 1)::uuid`.execute(db);

/** Pages do not list a transcript that is older than its call. */
const count = async ({ database: { db } }: Tidied) =>
  (await db.selectFrom('transcripts').select('id').execute()).length;

test('replicas together clean up once an hour, and each at its start', async () => {
  const clock = createTestClock();
  const { service, database, close } = await startWithTranscript({ clock, env: ENV });
  await age(service);
  const stored = () => count(service);
  const due_at = (await row(service))?.due_at.getTime() ?? 0;
  assert.ok(due_at - clock.now().getTime() > HOUR_MS - 60_000 && due_at - clock.now().getTime() <= HOUR_MS);
  assert.equal(await stored(), 1, 'the hour has not passed');
  const second = await startService({ database, clock, env: ENV });
  await eventually(stored, (left) => left === 0);
  await second.close();
  await close();
});

test('a replica does not clean up while another does, and takes over when that one has died', async () => {
  const clock = createTestClock();
  const { service, database, close, transcripts } = await startWithTranscript({ clock, env: ENV });
  await sql`update work set leased_until = now() + interval '1 minute' where kind = 'retention'`.execute(database.db);
  clock.advance(31 * DAY_MS);
  await service.app.reconcile();
  assert.equal(await transcripts(), 1);
  await expireLease(service);
  await service.app.reconcile();
  assert.equal(await transcripts(), 0);
  await close();
});

test('a failed round is counted, shown, and retried', async () => {
  const clock = createTestClock();
  const { service, database, close, transcripts } = await startWithTranscript({ clock, env: ENV });
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    database.db,
  );
  await sql`create trigger refuse before delete on transcripts for each row execute function refuse()`.execute(
    database.db,
  );
  clock.advance(31 * DAY_MS);
  await service.app.reconcile();
  const { body } = await service.request('GET', '/metrics');
  assert.match(body, /^work_attempts_total\{kind="retention",outcome="failed"\} [1-9]/m);
  assert.equal((await service.request('GET', '/api/work?kind=retention')).body.failing[0]?.last_error, 'refused');
  await sql`drop trigger refuse on transcripts`.execute(database.db);
  await service.app.reconcile();
  assert.equal(await transcripts(), 0);
  await close();
});

// The embedded database forgets all leases when it is opened: the only process that could hold one is gone.
if (process.env.TEST_DATABASE_URL) {
  test('the round of a process killed in the middle is taken over', async (t) => {
    // Its clock stands still: it looks for work when it is asked to.
    const clock = createTestClock();
    const { service, database, close } = await startWithTranscript({ clock, env: ENV });
    t.after(close);
    const url = new URL(process.env.TEST_DATABASE_URL ?? '');
    url.pathname = database.location.slice(database.location.lastIndexOf('/'));
    await age(service);
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table transcripts in exclusive mode`.execute(trx);
      const env = { PATH: process.env.PATH, PORT: '0', DATABASE_URL: url.href, ...ENV };
      t.after(killPrograms);
      const other = startProgram([...NODE, MAIN], { env });
      const waiting = await eventually(
        () => waitingForLock(database),
        (pids) => pids.length > 0,
      );
      await other.end('SIGKILL');
      // PostgreSQL notices that a client is gone once its statement has ended: this one would still be carried out.
      for (const pid of waiting) await sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.db);
    });
    assert.ok((await row(service))?.leased_until, 'the dead process holds the work');
    await service.app.reconcile();
    assert.equal(await count(service), 1, 'the lease of the dead process has not run out');
    await expireLease(service);
    clock.advance(60_000);
    await service.app.reconcile();
    assert.equal(await count(service), 0);
    assert.equal((await row(service))?.attempts, 0);
  });
}
