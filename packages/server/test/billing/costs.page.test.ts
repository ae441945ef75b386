import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { sum } from '@switchboard/testkit/decimals.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { CostReportQuery, GROUPS } from '../../src/billing/costs/report-schema.ts';
import { insertUsageEvents, type NewUsageEvent } from '../../src/ledger/usage/store.ts';
import { newId, timeIds } from '../../src/lib/ids.ts';
import { readCsv } from '../support/csv.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/costs.md'), 'utf8');
const JANUARY = 'start_date=2026-01-01&end_date=2026-01-31';
const CSV = { accept: 'text/csv' };
const user = 'me';

/** A file that the page shows, under the name after its language. */
function shown(name: string): string {
  const block = new RegExp(`\`\`\`csv ${name}\n(.*?)\`\`\``, 's').exec(PAGE)?.[1];
  assert.ok(block, name);
  return block.replaceAll('\n', '\r\n');
}

const clock = createTestClock('2026-01-01T00:00:00.000Z');
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const service = await startService({ clock });
const rows = readCsv(shown('events'));
let unpriced = '';
for (const { used_on, is_unpriced, created_at = '', ...row } of rows) {
  clock.set(created_at);
  const id = newId();
  if (is_unpriced === 'true') unpriced = id;
  const event = {
    id,
    session_id: 'call',
    user_id: user,
    created_at: clock.now(),
    agent_id: row.agent_id || null,
    provider: row.provider,
    event_type: row.event_type,
    model: row.model || null,
    direction: row.direction || null,
    quantity: row.quantity,
    ...(is_unpriced === 'false' && { unit_cost: row.unit_cost }),
    ...(used_on && { total_cost: row.total_cost, adjusts: unpriced, used_on, is_pricing: true }),
  };
  await insertUsageEvents(service.database.db, [event as NewUsageEvent]);
}

const get = async (address: string, headers = {}) => {
  const { status, body } = await service.request('GET', address, { user, headers });
  assert.equal(status, 200, `${address}: ${JSON.stringify(body)}`);
  return body;
};

test('the events of the example are listed as the page shows them', async () => {
  const listed = readCsv(await get(`/api/usage/events?${JANUARY}`, CSV));
  const names = Object.keys(rows[0] ?? {});
  assert.deepEqual(
    listed.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
    rows,
  );
});

test('the report of the example is the file that the page shows', async () => {
  assert.equal(await get(`/api/costs/report?group_by=provider,event_type&${JANUARY}`, CSV), shown('report'));
});

test('the invoice is the sum of the events, of the report and of the summary, and was less before the price', async () => {
  const [, now = '', then = ''] = /\*\*(0\.\d+)\*\*.*As of\s2026-01-31 it was \*\*(0\.\d+)\*\*/s.exec(PAGE) ?? [];
  const total = (records: Record<string, string>[]) => sum(records.map(({ total_cost = '' }) => total_cost));
  assert.equal(total(rows), sum([now]));
  assert.equal(total(readCsv(shown('report'))), sum([now]));
  assert.equal((await get(`/api/costs/summary?${JANUARY}`)).total_cost, now);
  const earlier = await get(`/api/costs/report?group_by=month&end_date=2026-01-31&as_of=2026-01-31`);
  assert.deepEqual([earlier.total_cost, earlier.unpriced.events], [then, 1]);
});

const RECIPES = [...PAGE.matchAll(/`(\/api\/costs\/report\?[^`]+)`/g)].map(([, address = '']) => address);

test('every recipe of the page finds something in the example', async () => {
  assert.ok(RECIPES.length >= 6);
  for (const address of RECIPES) {
    const options = address.includes('user') ? {} : { user };
    const { status, body } = await service.request('GET', address, options);
    assert.equal(status, 200, address);
    assert.ok(body.items.length > 0, address);
  }
});

test('every group and filter that the page names is one, and none is missing', () => {
  const named = (begin: string) =>
    [...(PAGE.split(begin)[1]?.split('\n* **')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assert.deepEqual(
    named('* **Groups**:').filter((name) => name !== 'telephony_minutes'),
    GROUPS,
  );
  const others = ['service', 'group_by', 'as_of', 'limit', 'cursor'];
  const isFilter = (name = '') => !others.includes(name);
  assert.deepEqual(
    named('* **Filters**:').filter(isFilter).sort(),
    Object.keys(CostReportQuery.properties).filter(isFilter).sort(),
  );
});
