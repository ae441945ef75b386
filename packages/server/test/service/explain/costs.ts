import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { BUSY } from '../../support/many-rows.ts';
import { isPlanned } from '../../support/plans.ts';
import type { Statement } from '../../support/statements.ts';
import { database, explain, rowsRead, scannedBy, sent } from './filled.ts';
import './analyses.ts';

const DAYS = 400;
const AGENTS = 100;
let isFilled = false;

/** A service, closed after the test, whose busy user has a rollup of each of many agents on each of many days. */
async function start(): Promise<Service> {
  if (!isFilled) await addRollups();
  isFilled = true;
  return startService({ database });
}

async function addRollups(): Promise<void> {
  await sql`
    insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
    select ${BUSY}, day, 'agent-' || agent, 'openai', 'stt_minutes', day, 1, 1, 1
    from generate_series(1, ${sql.lit(AGENTS)}) as agent,
      lateral (select date '2025-01-01' + n as day from generate_series(1, ${sql.lit(DAYS)}) as n) as days`.execute(
    database.db,
  );
  await sql`analyze usage_rollups`.execute(database.db);
}

/** The statements that a request sends, a cursor's query in the place of its declaration. */
async function sentBy(service: Service, path: string, headers: Record<string, string>) {
  const before = sent.length;
  const { status, body } = await service.request('GET', path, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  const statements: Statement[] = sent
    .slice(before)
    .map((one) => ({ ...one, sql: one.sql.replace(/^\s*declare \w+ no scroll cursor for/, '') }))
    .filter((one) => isPlanned(one) && !/api_keys/.test(one.sql));
  return { statements, body };
}

for (const headers of [{ 'x-user-id': BUSY }, {}] as Record<string, string>[]) {
  const who = 'x-user-id' in headers ? 'one user' : 'all users';
  for (const group_by of ['day,agent', 'week,agent', 'month,agent,provider']) {
    test(`a later page of a report on ${who} by ${group_by} adds up about as many rollups as it shows, and no events`, async () => {
      const service = await start();
      const path = `/api/costs/report?group_by=${group_by}&limit=20`;
      let { body } = await sentBy(service, path, headers);
      for (let page = 0; page < 3; page++) {
        const { statements, body: next } = await sentBy(service, `${path}&cursor=${body.next_cursor}`, headers);
        const rollups = statements.filter(({ sql: text }) => text.includes('usage_rollups'));
        assert.ok(rollups.length >= 2);
        assert.deepEqual(await scannedBy(statements), []);
        let read = 0;
        for (const statement of rollups) {
          const nodes = await explain(statement);
          assert.ok(nodes.every((node) => !node['Relation Name']?.startsWith('usage_events')));
          read += await rowsRead(statement);
        }
        // A month of one user has 3,000 rollups, the report 40,000.
        const most = group_by.startsWith('month') ? 12_000 : 4_000;
        assert.ok(read <= most, `${read} rows read`);
        body = next;
      }
    });
  }
}

test('a report as a file reads rollups alone, and each of them once', async () => {
  const service = await start();
  for (const group_by of ['day,agent', 'agent,day']) {
    const { statements } = await sentBy(service, `/api/costs/report?group_by=${group_by}`, {
      'x-user-id': BUSY,
      accept: 'text/csv',
    });
    const adding = statements.filter(({ sql: text }) => text.includes('grouped'));
    assert.ok(adding.length > 0);
    let read = 0;
    for (const statement of adding) {
      const nodes = await explain(statement, ', analyze');
      for (const node of nodes) {
        assert.ok(!node['Relation Name']?.startsWith('usage_events'));
        if (node['Relation Name'] === 'usage_rollups') read += (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1);
      }
    }
    const all = DAYS * AGENTS + 100;
    assert.ok(read >= all && read <= 1.01 * all, `${read} rollups read for ${all}`);
  }
});
