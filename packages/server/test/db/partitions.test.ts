import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { openDatabase } from '../../src/db/open.ts';
import { ensurePartitions } from '../../src/db/partitions.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { idsFrom, timeIds } from '../../src/lib/ids.ts';
import { createPlans, isPlanned } from '../support/plans.ts';
import { watchStatements } from '../support/statements.ts';
import { logUsage } from '../support/usage.ts';

const database = await openTestDatabase();
const { db } = database;

const partitions = async (table: string, of = db) => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`.execute(
    of,
  );
  return rows.map(({ name }) => name);
};

test('partitions exist for this month and the next three, however often and concurrently they are requested', async () => {
  const inTwoYears = new Date(Date.UTC(2028, 10, 30));
  await Promise.all([1, 2, 3].map(() => ensurePartitions(db, inTwoYears)));
  for (const table of ['usage_events', 'transcripts']) {
    const names = await partitions(table);
    for (const month of ['2028_11', '2028_12', '2029_01', '2029_02'])
      assert.ok(names.includes(`${table}_${month}`), month);
  }
});

test('an event goes into the partition of its month or the default one; detaching an old month keeps its reports', async () => {
  const service: Service = await startService({ database });
  const { body } = await logUsage(service, { total_cost: '"0.25"' });
  const where = async (id: string) => {
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from usage_events where id = ${id}::uuid`.execute(db);
    return rows[0]?.name;
  };
  const month = new Date().toISOString().slice(0, 7).replace('-', '_');
  assert.equal(await where(body.id), `usage_events_${month}`);
  const stray = idsFrom(new Date(Date.UTC(2040, 0)));
  await sql`insert into usage_events select ${stray}::uuid, session_id, user_id, agent_id, provider, event_type, quantity,
    unit_cost, total_cost, created_at from usage_events where id = ${body.id}::uuid`.execute(db);
  assert.equal(await where(stray), 'usage_events_other');
  await sql`alter table usage_events detach partition ${sql.table(`usage_events_${month}`)}`.execute(db);
  assert.equal((await service.request('GET', '/api/costs/summary', { user: 'user-1' })).body.total_cost, '0.25');
  await service.close();
});

test('rows dated by a wrong clock are moved when their month gets its partition, without blocking other partitions', async () => {
  const service = await startService({ database });
  const { room_name } = await answeredCall(service);
  await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content: 'early' } });
  const { body } = await logUsage(service, { user_id: 'ahead', total_cost: '"0.5"' });
  await service.close();
  const ahead = new Date(Date.UTC(2030, 5, 15));
  await sql`update usage_events set id = ${idsFrom(ahead)}::uuid where id = ${body.id}::uuid`.execute(db);
  await sql`update transcripts set id = ${idsFrom(ahead)}::uuid where content = 'early'`.execute(db);
  await ensurePartitions(db, new Date(Date.UTC(2030, 2, 31)));
  for (const table of ['usage_events', 'transcripts']) {
    assert.ok((await partitions(table)).includes(`${table}_2030_06`));
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from ${sql.table(table)} where id = ${idsFrom(ahead)}::uuid`.execute(db);
    assert.deepEqual(rows, [{ name: `${table}_2030_06` }]);
  }
  assert.deepEqual((await createRollups(db).verify(() => {})).wrong, []);
});

test('a partition has the keys, indexes and foreign keys of its table', async () => {
  const shape = async (table: string) => {
    const { rows } = await sql<{ part: string }>`
      select regexp_replace(indexdef, '^.* USING', '') as part from pg_indexes where tablename = ${table}
      union all select pg_get_constraintdef(oid) from pg_constraint where conrelid = ${table}::regclass order by 1`.execute(
      db,
    );
    return rows.map(({ part }) => part);
  };
  await ensurePartitions(db, new Date(Date.UTC(2033, 0)));
  for (const table of ['usage_events', 'transcripts'])
    assert.deepEqual(await shape(`${table}_2033_01`), await shape(`${table}_other`));
});

test('months that the first partition has need none of their own: the clock was ahead when it was created', async () => {
  const { db, close } = await openTestDatabase();
  const existing = await partitions('usage_events', db);
  await ensurePartitions(db, new Date('2020-01-15T00:00:00Z'));
  assert.deepEqual(await partitions('usage_events', db), existing);
  await close();
});

test('a partition that cannot be created blocks neither the others nor the start, and is created later', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'switchboard-'));
  const failures: unknown[] = [];
  const where = { poolMax: 1, dir: DATA_DIR, onIdleError: () => {} };
  const open = () => openDatabase({ ...where, onPartitionError: (error) => failures.push(error) });
  const now = new Date();
  const [next, last] = [2, 3].map((ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)));
  const nameOf = (month = now) => `usage_events_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  // Months before, a clock that was wrong had an event put there; and what keeps rows from being deleted keeps it from
  // being moved.
  const before = await open();
  for (const month of [next, last]) await sql`drop table ${sql.table(nameOf(month))}`.execute(before.db);
  await sql`insert into usage_events values (${idsFrom(next as Date)}::uuid, 's', 'u', null, 'p', 'llm_tokens', 1, 1, 1, now())`.execute(
    before.db,
  );
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''kept''; end'`.execute(
    before.db,
  );
  await sql`create trigger kept before delete on usage_events_other for each row execute function refuse()`.execute(
    before.db,
  );
  await before.close();
  for (const isKept of [true, false]) {
    const { db: opened, close } = await open();
    assert.equal(failures.length, 1);
    const { rows } = await sql<{ relname: string }>`
      select relname from pg_class where relname in (${nameOf(next)}, ${nameOf(last)}) order by 1`.execute(opened);
    assert.deepEqual(
      rows.map(({ relname }) => relname),
      isKept ? [nameOf(last)] : [nameOf(next), nameOf(last)],
    );
    if (isKept) await sql`drop trigger kept on usage_events_other`.execute(opened);
    await close();
  }
  await rm(DATA_DIR, { recursive: true });
});

test('transcripts are listed across their months', async () => {
  const service = await startService();
  const { call_id, room_name } = await answeredCall(service);
  for (const content of ['one', 'two'])
    await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });
  await sql`update transcripts set id = ${idsFrom(new Date(Date.UTC(2040, 0)))}::uuid where content = 'two'`.execute(
    service.database.db,
  );
  const { items } = (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body;
  assert.deepEqual(
    items.map(({ content }: { content: string }) => content),
    ['one', 'two'],
  );
  await database.close();
});

/** Opens a session while ids are dated so many days ahead, or at a time, and then gives it a line and an event. */
async function sessionFrom(service: Service, time: () => number, afterwards: () => number) {
  timeIds(time);
  const { body } = await service.request('POST', '/api/sessions/', { body: { user_id: 'user-1' } });
  timeIds(afterwards);
  const line = { body: { content: 'hello' } };
  await service.request('POST', `/api/sessions/by-room/${body.room_name}/transcripts`, line);
  await logUsage(service, { session_id: body.id, total_cost: '"0.5"' });
  return {
    id: body.id as string,
    shown: async () => {
      const lines = (await service.request('GET', `/api/sessions/${body.id}/transcripts`)).body.items;
      const costs = (await service.request('GET', `/api/sessions/${body.id}/costs`)).body;
      return [lines.length, costs.total_cost, costs.events.length];
    },
  };
}

test('a session that was opened while the clock was ahead has what is written once the clock is right', async (t) => {
  t.after(() => timeIds(Date.now));
  const clock = createTestClock();
  const service = await startService({ clock });
  for (const days of [0, 2, 30]) {
    const { shown } = await sessionFrom(service, () => Date.now() + days * DAY_MS, Date.now);
    assert.deepEqual(await shown(), [1, '0.5', 1], `${days} days ahead, at once`);
    clock.advance(100 * DAY_MS);
    assert.deepEqual(await shown(), [1, '0.5', 1], `${days} days ahead, months later`);
    clock.set(new Date().toISOString());
  }
  const { shown } = await sessionFrom(service, () => Date.now() + 400 * DAY_MS, Date.now);
  assert.deepEqual(await shown(), [1, '0.5', 1], 'a year ahead, at once');
  await service.close();
});

test('lines and events of a session are looked for in its month, the one before and later ones only', async (t) => {
  t.after(() => timeIds(Date.now));
  const database = await openTestDatabase();
  const { db } = database;
  await ensurePartitions(db, new Date('2028-11-30T00:00:00Z'));
  const clock = createTestClock('2029-02-10T00:00:00Z');
  const sent = watchStatements(database);
  const service = await startService({ database, clock });
  const then = () => clock.now().getTime();
  const { id, shown } = await sessionFrom(service, then, then);
  const before = sent.length;
  assert.deepEqual(await shown(), [1, '0.5', 1]);
  const reading = sent
    .slice(before)
    .filter(({ sql, parameters }) => isPlanned({ sql, parameters }) && parameters.includes(id));
  const { explain } = createPlans(db);
  const plans = await Promise.all(reading.map((statement) => explain(statement)));
  const tables = new Set(plans.flat().map((node) => node['Relation Name'] ?? ''));
  for (const table of ['usage_events', 'transcripts']) {
    const read = [...tables].filter((name) => name.startsWith(`${table}_`) && !name.endsWith('_other'));
    assert.ok(read.includes(`${table}_2029_02`), read.join());
    assert.deepEqual(
      read.filter((name) => name < `${table}_2029_01`),
      [],
    );
  }
  await service.close();
  await database.close();
});
