import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../../src/db/database.ts';
import { installationOf } from '../../src/db/installation.ts';
import { DirectoryLockedError } from '../../src/db/lock.ts';
import { openDatabase } from '../../src/db/open.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { newId } from '../../src/lib/ids.ts';

const database = await openTestDatabase();
after(() => database.close());

test('decimals, dates, counts and objects have the same types from both databases', async () => {
  const now = new Date('2026-03-01T12:00:00.123Z');
  const session_id = randomUUID();
  const event = {
    id: newId(),
    session_id,
    user_id: 'u',
    agent_id: null,
    provider: 'p',
    event_type: 'llm_tokens' as const,
  };
  await database.db
    .insertInto('usage_events')
    .values({
      ...event,
      quantity: '12345678901234567890.123456789012345678',
      unit_cost: '.5',
      total_cost: '-0.0000001',
      created_at: now,
    })
    .execute();
  const row = await database.db
    .selectFrom('usage_events')
    .select(['id', 'session_id', 'user_id', 'agent_id', 'provider', 'event_type'])
    .select(['quantity', 'unit_cost', 'total_cost', 'created_at'])
    .where('id', '=', event.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, {
    ...event,
    quantity: '12345678901234567890.123456789012345678',
    unit_cost: '0.5',
    total_cost: '-0.0000001',
    created_at: now,
  });
  const { rows } = await sql`select count(*) as n, '{"a": [1.5, null]}'::jsonb as j, 1.25::float8 as f`.execute(
    database.db,
  );
  assert.deepEqual(rows, [{ n: 1, j: { a: [1.5, null] }, f: 1.25 }]);
});

test('the schema refuses states that the lifecycle cannot reach', async () => {
  const insert = (status: string, call_status: string | null, ended: boolean) =>
    sql`insert into sessions (id, room_name, user_id, status, call_direction, call_status, ended_at, session_data, created_at, updated_at)
        values (${randomUUID()}, ${randomUUID()}, 'u', ${status}, ${call_status && 'OUTBOUND'}, ${call_status}, ${ended ? new Date() : null}, '{}', now(), now())`.execute(
      database.db,
    );
  await insert('CREATED', 'RINGING', false);
  await assert.rejects(insert('CREATED', 'ANSWERED', false));
  await assert.rejects(insert('COMPLETED', 'COMPLETED', false));
  await assert.rejects(insert('ACTIVE', null, true));
});

test('a directory left incomplete by a killed process is recreated', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  await mkdir(path.join(DATA_DIR, 'pg.new'));
  await writeFile(path.join(DATA_DIR, 'pg.new/PG_VERSION'), '17');
  const options = { dir: DATA_DIR, poolMax: 1, onIdleError: () => {} };
  const first = await openDatabase(options);
  await assert.rejects(openDatabase(options), DirectoryLockedError);
  await first.close();
  await (await openDatabase(options)).close();
  await rm(DATA_DIR, { recursive: true });
});

test('new directories, copies of one image, are installations of their own', async (t) => {
  const ids = [];
  for (const name of ['a', 'b']) {
    const dir = await mkdtemp(path.join(tmpdir(), `switchboard-${name}-`));
    t.after(() => rm(dir, { recursive: true }));
    for (const start of [1, 2]) {
      const opened = await openDatabase({ poolMax: 1, onIdleError: () => {}, dir });
      ids.push({ name, start, id: await installationOf(opened.db) });
      await opened.close();
    }
  }
  const [a, again, b, bAgain] = ids.map(({ id }) => id);
  assert.deepEqual([again, bAgain], [a, b]);
  assert.notEqual(a, b);
});

test('an unreachable server is distinguished from an invalid query', async () => {
  const away = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    poolMax: 1,
    dir: '',
    onIdleError: () => {},
  });
  assert.ok(
    isDatabaseUnavailable(
      await away.then(
        () => assert.fail(),
        (error) => error,
      ),
    ),
  );
  const wrong = sql`select nothing`.execute(database.db);
  assert.ok(
    !isDatabaseUnavailable(
      await wrong.then(
        () => assert.fail(),
        (error) => error,
      ),
    ),
  );
});

test('a server that refuses connections, or accepts them and stays silent, is unavailable', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const mute = openPostgres(`postgres://nobody@127.0.0.1:${port}/none`, { max: 1, onIdleError: () => {} });
  const error = await sql`select 1`.execute(mute.db).catch((error: Error) => error);
  await mute.close();
  server.close();
  assert.ok(error instanceof Error && isDatabaseUnavailable(error), String(error));
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH'])
    assert.ok(isDatabaseUnavailable(Object.assign(new Error(`connect ${code}`), { code })));
});

test('a connection whose query timed out is closed, and the server is set to end its open transaction', async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const silent = openPostgres(`postgres://nobody@127.0.0.1:${port}/none`, { max: 1, onIdleError: () => {} });
  const answer = silent.db
    .transaction()
    .execute((trx) => sql`select 1`.execute(trx))
    .catch((error: Error) => error);
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'data');
  socket.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')); // Welcome, and ready for queries.
  const [begin] = (await once(socket, 'data')) as [Buffer];
  assert.match(begin.toString(), /begin; set local idle_in_transaction_session_timeout = [1-9]/);
  t.mock.timers.tick(10_000);
  const error = await answer;
  assert.ok(error instanceof Error && isDatabaseUnavailable(error), String(error));
  await once(socket.resume(), 'close');
  assert.equal(silent.connections().total, 0);
  await silent.close();
  server.close();
});

// The embedded database has one process and one connection.
if (process.env.TEST_DATABASE_URL) {
  test('a query that waits for a connection does not get one whose query has timed out', async () => {
    const options = { max: 1, onIdleError: () => {}, queryTimeoutMs: 500 };
    const impatient = openPostgres(process.env.TEST_DATABASE_URL ?? '', options);
    const slow = sql`select pg_sleep(3)`.execute(impatient.db);
    const next = sql<{ one: number }>`select 1 as one`.execute(impatient.db);
    await assert.rejects(slow, /timeout/);
    assert.deepEqual((await next).rows, [{ one: 1 }]);
    await impatient.close();
  });

  test('connections to a server that has become a standby are replaced, and requests are asked to come back', async () => {
    const service = await startService();
    const { db } = service.database;
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    const create = () => service.request('POST', '/api/agents/', { body: { name: 'Front desk', user_id: 'user-1' } });
    assert.equal((await create()).status, 201);
    // Applies to new connections, as a standby's state applies to those that were opened to it.
    await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set default_transaction_read_only = on`.execute(db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db);
    await eventually(create, ({ status }) => status === 503);
    assert.equal((await service.request('GET', '/api/agents/', { user: 'user-1' })).status, 200);
    const admin = openPostgres(process.env.TEST_DATABASE_URL ?? '', { max: 1, onIdleError: () => {} });
    await sql`alter database ${sql.ref(rows[0]?.name ?? '')} reset default_transaction_read_only`.execute(admin.db);
    await admin.close();
    await eventually(create, ({ status }) => status === 201, 5_000);
    assert.ok(!service.logged().some((line) => line.includes('internal_error')));
  });

  test('connections cut under load fail their requests with 503 and Retry-After, and the service continues', async () => {
    const service = await startService({ database });
    const body = {
      session_id: 's',
      user_id: 'u',
      provider: 'p',
      event_type: 'llm_tokens',
      quantity: 1,
      unit_cost: 1,
      total_cost: 1,
    };
    const answers = Array.from({ length: 200 }, () => service.request('POST', '/api/usage/events', { body }));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      database.db,
    );
    for (const { status, headers } of await Promise.all(answers)) {
      assert.ok(status === 201 || status === 503, String(status));
      if (status === 503) assert.ok(headers.get('retry-after'));
    }
    const after = await eventually(
      () => service.request('POST', '/api/usage/events', { body }),
      ({ status }) => status === 201,
    );
    assert.equal(after.status, 201);
    await service.close();
  });
}

// PostgreSQL's connections answer on their own.
if (!process.env.TEST_DATABASE_URL) {
  test('queued queries do not block the event loop', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const slow = sql`select count(*) from generate_series(1, 200000)`;
    const seen = await Promise.all(Array.from({ length: 5 }, () => slow.execute(database.db).then(() => turns)));
    clearImmediate(counting);
    assert.equal(new Set(seen).size, 5, seen.join());
  });
}
