// Work that the database rolls back because of a concurrent transaction is repeated, and clients do not notice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, USER } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { isDatabaseUnavailable } from '../../src/db/database.ts';
import { ATTEMPTS } from '../../src/db/retry.ts';
import type { Db } from '../../src/db/tables.ts';

const SQLSTATES = { deadlock: '40P01', serialization_failure: '40001' } as const;

/** Fails like a statement whose transaction the server has rolled back because of a conflict. */
const fail = (db: Db, conflict: keyof typeof SQLSTATES) =>
  sql.raw(`do $$ begin raise exception 'conflict' using errcode = '${SQLSTATES[conflict]}'; end $$`).execute(db);

for (const conflict of ['deadlock', 'serialization_failure'] as const)
  test(`a transaction is repeated from its start after a ${conflict}, and counted`, async (t) => {
    const { db, close, conflicts } = await openTestDatabase();
    t.after(close);
    let attempts = 0;
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('budget_thresholds').values(threshold(++attempts)).execute();
      if (attempts < 3) await fail(trx, conflict);
    });
    const kept = await db.selectFrom('budget_thresholds').select('percent').execute();
    assert.deepEqual([attempts, kept], [3, [{ percent: 3 }]]);
    assert.deepEqual(conflicts()[conflict], { repeated: 2, given_up: 0 });
  });

test('the isolation level holds in each attempt', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const levels: unknown[] = [];
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      levels.push((await sql`show transaction_isolation`.execute(trx)).rows);
      if (levels.length < 3) await fail(trx, 'serialization_failure');
    });
  // The embedded database has one connection, so that its transactions run one after the other at any level.
  const level = process.env.TEST_DATABASE_URL ? 'repeatable read' : 'read committed';
  assert.deepEqual(levels, Array(3).fill([{ transaction_isolation: level }]));
});

test('an export, which has sent its first rows, is not repeated', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  let attempts = 0;
  const reading = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  await assert.rejects(
    reading.execute(async (trx) => {
      attempts++;
      await fail(trx, 'deadlock');
    }),
    { code: '40P01' },
  );
  assert.equal(attempts, 1);
});

test('any other error is passed on at once', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  let attempts = 0;
  const wrong = db.transaction().execute((trx) => {
    attempts++;
    return sql`select 1 / 0`.execute(trx);
  });
  await assert.rejects(wrong, { code: '22012' });
  assert.equal(attempts, 1);
});

test('a conflict that lasts is passed on after several attempts, as an overload and not as an outage', async (t) => {
  const database = await openTestDatabase();
  t.after(database.close);
  const service = await startService({ database });
  const { db } = database;
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'conflict' using errcode = '40P01'; end $$`.execute(db);
  await sql`create trigger refuse before insert on agents for each row execute function refuse()`.execute(db);
  const { status, headers, body } = await service.request('POST', '/api/agents/', {
    body: { name: 'Front desk', user_id: 'user-1' },
  });
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'overloaded', '1']);
  assert.deepEqual(database.conflicts().deadlock, { repeated: ATTEMPTS - 1, given_up: 1 });
  assert.ok(service.logged().some((line) => line.includes('request failed') && line.includes('conflict')));
  const metrics = (await service.request('GET', '/metrics')).body;
  assert.match(
    metrics,
    new RegExp(`^db_conflicts_total\\{conflict="deadlock",outcome="repeated"\\} ${ATTEMPTS - 1}$`, 'm'),
  );
  assert.match(metrics, /^db_conflicts_total\{conflict="deadlock",outcome="given_up"\} 1$/m);
  assert.equal(isDatabaseUnavailable(Object.assign(new Error('deadlock detected'), { code: '40P01' })), false);
});

test('what follows the commit of a repeated transaction happens once', async (t) => {
  const database = await openTestDatabase();
  t.after(database.close);
  const service = await startService({ database });
  const call = await answeredCall(service);
  const { db } = database;
  await sql`create sequence attempts`.execute(db);
  // A sequence counts the attempts that are rolled back too.
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if nextval('attempts') < 3 then raise exception 'conflict' using errcode = '40001'; end if;
    return new;
  end $$`.execute(db);
  await sql`create trigger refuse before insert on call_rollups for each row execute function refuse()`.execute(db);
  const { status, body } = await service.request('POST', `/api/calls/${call.call_id}/end`, { user: USER });
  assert.deepEqual([status, body.call_status], [200, 'COMPLETED']);
  assert.equal(database.conflicts().serialization_failure.repeated, 2);
  const ended = await eventually(
    async () => String((await service.request('GET', '/metrics')).body),
    (text) => /^calls_ended_total\{/m.test(text),
  );
  assert.match(ended, /^calls_ended_total\{[^}]*\} 1$/m);
  const { timeline } = (await service.request('GET', `/api/calls/${call.call_id}`)).body;
  assert.equal(timeline.length, 3);
});

// The embedded database has one connection, and so no statement that could meet another.
if (process.env.TEST_DATABASE_URL) {
  test('a single statement is repeated after a deadlock', async (t) => {
    const { db, close, conflicts } = await openTestDatabase();
    t.after(close);
    await sql`create table pair (id integer primary key, value integer not null)`.execute(db);
    await sql`insert into pair values (1, 0), (2, 0)`.execute(db);
    const add = sql`
      with locked as materialized (select id from pair order by id for update)
      update pair set value = value + 1 from locked where locked.id = pair.id`;
    let adding: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      // The statement notices the deadlock first.
      await sql`set local deadlock_timeout = '1min'`.execute(trx);
      await sql`update pair set value = value + 1 where id = 2`.execute(trx);
      adding = add.execute(db);
      await sql`select pg_sleep(0.2)`.execute(trx);
      await sql`update pair set value = value + 1 where id = 1`.execute(trx);
    });
    await adding;
    const { rows } = await sql`select value from pair order by id`.execute(db);
    assert.deepEqual(rows, [{ value: 2 }, { value: 2 }]);
    const { repeated, given_up } = conflicts().deadlock;
    // The repeated one may lock a row before the transaction does, once more.
    assert.ok(repeated >= 1 && given_up === 0, `${repeated} repeated, ${given_up} given up`);
  });

  test('of two transactions that lock the same rows in opposite orders, both are committed', async (t) => {
    const { db, close, conflicts } = await openTestDatabase();
    t.after(close);
    await sql`create table pair (id integer primary key, value integer not null)`.execute(db);
    await sql`insert into pair values (1, 0), (2, 0)`.execute(db);
    const add = (first: number, second: number) =>
      db.transaction().execute(async (trx) => {
        await sql`update pair set value = value + 1 where id = ${first}`.execute(trx);
        await sql`select pg_sleep(0.05)`.execute(trx);
        await sql`update pair set value = value + 1 where id = ${second}`.execute(trx);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    const { rows } = await sql`select value from pair`.execute(db);
    assert.deepEqual(rows, [{ value: 2 }, { value: 2 }]);
    assert.ok(conflicts().deadlock.repeated > 0);
  });
}

function threshold(percent: number) {
  return { user_id: 'user-1', month: '2026-01-01', percent, reached_at: new Date() };
}
