// Rows of a dump that was restored into a cluster with lower transaction ids.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import { clearForeignTransactionIds } from '../../src/db/streamed-tables.ts';

const database = await openTestDatabase();
const { db } = database;
after(() => database.close());

const LIMIT = 10;
const ROWS = 95;
const FOREIGN = 1_000_000_000_000_000;

/** Inserts rows in the order of their ids, written by this transaction or by one of another database. */
const insert = (provider: string, count: number, tx = sql`${FOREIGN}::bigint`) =>
  sql`insert into usage_events (id, session_id, user_id, provider, event_type, quantity, unit_cost, total_cost,
      created_at, tx)
    select gen_random_uuid(), 's', 'u', ${provider}, 'llm_tokens', 1, 1, 1, now(), ${tx}
    from generate_series(1, ${count}::integer)`.execute(db);

const foreign = async () => {
  const query = db.selectFrom('usage_events').select('id').where(sql<boolean>`tx = ${FOREIGN}::bigint`);
  return (await query.orderBy('id').execute()).map(({ id }) => id);
};

test('transaction ids of another database are cleared a few rows at a time, and after a failure it goes on', async () => {
  await insert('restored', ROWS);
  await insert('own', 1, sql`txid_current()`);
  const before = await foreign();
  const stuck = before[50] ?? assert.fail();
  // Fails as a statement that takes too long would.
  await sql`create function refuse_many() returns trigger language plpgsql as $$ begin
    if (select count(*) from changed) > ${sql.lit(LIMIT)} then raise exception 'too many rows at once'; end if;
    return null; end $$`.execute(db);
  await sql`create trigger refuse_many after update on usage_events referencing new table as changed
    for each statement execute function refuse_many()`.execute(db);
  await sql`create function refuse_one() returns trigger language plpgsql as $$ begin
    raise exception 'this row is stuck'; end $$`.execute(db);
  await sql`create trigger refuse_one before update on usage_events for each row
    when (old.id = ${sql.lit(stuck)}::uuid) execute function refuse_one()`.execute(db);
  await assert.rejects(clearForeignTransactionIds(db, LIMIT), /this row is stuck/);
  const left = await foreign();
  assert.ok(left.includes(stuck) && left.length < ROWS - LIMIT, `${left.length} rows are left`);
  assert.deepEqual(left, before.slice(-left.length));
  await sql`drop trigger refuse_one on usage_events`.execute(db);
  await clearForeignTransactionIds(db, LIMIT);
  assert.deepEqual(await foreign(), []);
  const { rows } = await sql`select provider from usage_events where tx <> 0`.execute(db);
  assert.deepEqual(rows, [{ provider: 'own' }]);
});
