import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ensurePartitions } from '../src/db/partitions.ts';
import { idsFrom } from '../src/lib/ids.ts';
import { answeredCall } from './support/calls.ts';
import { openTestDatabase, type Service, startService } from './support/service.ts';
import { logUsage } from './support/usage.ts';

const database = await openTestDatabase();
const { db } = database;

const partitions = async (table: string) => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => name);
};

test('there are partitions for this month and three more, as often as they are asked for, by several at once', async () => {
  const inTwoYears = new Date(Date.UTC(2028, 10, 30));
  await Promise.all([1, 2, 3].map(() => ensurePartitions(db, inTwoYears)));
  for (const table of ['usage_events', 'transcripts']) {
    const names = await partitions(table);
    for (const month of ['2028_11', '2028_12', '2029_01', '2029_02'])
      assert.ok(names.includes(`${table}_${month}`), month);
  }
});

test('an event is put where its month is, one without a month is kept too, and an old month can go while reports stay', async () => {
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
