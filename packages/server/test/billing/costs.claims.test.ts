import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { after, test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import fastify from 'fastify';
import { sql } from 'kysely';
import { createCsvExports } from '../../src/http/csv.ts';
import { createLineCharges } from '../../src/ledger/line-charges/line-charges.ts';
import { PriceEntry } from '../../src/ledger/prices/schema.ts';
import { USAGE_COLUMNS, UsageListQuery } from '../../src/ledger/usage/schema.ts';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { newId, timeIds } from '../../src/lib/ids.ts';
import { readTrunks } from '../../src/providers/trunks.ts';
import { readCsv } from '../support/csv.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/costs.md'), 'utf8');
const clock = createTestClock('2026-01-10T12:00:00.000Z');
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const service = await startService({ clock });
const { db } = service.database;

test('the table of the columns of prices has all of them, and so has that of the columns of events', () => {
  const [prices = '', events = ''] = PAGE.split('| Column | |\n').slice(1);
  const names = (table: string) => {
    const lines = (table.split('\n\n')[0] ?? '').split('\n');
    return lines.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  };
  assert.deepEqual(names(prices).sort(), Object.keys(PriceEntry.properties).sort());
  assert.deepEqual(names(events).sort(), Object.keys(USAGE_COLUMNS).sort());
});

test('the filters of a month as CSV are those that the page names', () => {
  const named = [...(/Add (.*?) to filter the events/.exec(PAGE)?.[1]?.matchAll(/`(\w+)`/g) ?? [])].map(
    ([, name]) => name,
  );
  const others = ['start_date', 'end_date', 'limit', 'cursor'];
  const all = Object.keys(UsageListQuery.properties).filter((name) => !others.includes(name));
  assert.deepEqual(named.sort(), all.sort());
});

test('what has no price yet is in no summary, no costs by agent and no period, and costs nothing where others are', async () => {
  const event = { session_id: 's', user_id: 'unpriced', event_type: 'llm_input_tokens' as const, quantity: '5' };
  const add = (provider: string, agent_id: string, day: string, unit_cost: string | null) =>
    insertUsageEvents(db, [{ ...event, id: newId(), provider, agent_id, unit_cost, created_at: new Date(day) }]);
  await add('priced', 'a', '2026-01-10', '2');
  await add('priced', 'a', '2026-01-10', null);
  await add('free', 'b', '2026-01-11', null);
  const report = async (name: string) =>
    (await service.request('GET', `/api/costs/${name}`, { user: 'unpriced' })).body;
  assert.deepEqual((await report('summary')).by_provider, { priced: '10' });
  assert.deepEqual(
    (await report('by-agent')).map((one: Record<string, string>) => [one.agent_id, one.total_cost]),
    [['a', '10']],
  );
  assert.deepEqual(
    (await report('timeline')).map((one: Record<string, string>) => [one.date, one.total_cost]),
    [['2026-01-10', '10']],
  );
  assert.equal((await report('report?group_by=agent')).unpriced.events, 2);
});

test('the line is that of the carrier and of the media provider, of any trunk without a carrier, and of the sandbox', async () => {
  const session = { user_id: 'lines', agent_id: null };
  const billed = async (name: 'livekit' | 'sandbox', carrier: 'twilio' | 'sandbox', trunk?: string) => {
    const id = newId();
    const { bill } = createLineCharges({
      db,
      clock,
      media: { name, simulated: name === 'sandbox', trunks: readTrunks('ST_a,ST_b@telnyx') },
      carrier: { name: carrier },
    });
    const dialled = { direction: 'OUTBOUND' as const, phone_number: '+15005550100', trunk };
    const leg = { ...dialled, duration_ms: 1, was_in_room: true };
    await db.transaction().execute((trx) => bill(trx, [{ ...leg, session: { ...session, id } }]));
    const events = await db.selectFrom('usage_events').selectAll().where('session_id', '=', id).execute();
    return events.map(({ event_type, provider }) => `${event_type} ${provider}`).sort();
  };
  assert.deepEqual(await billed('livekit', 'twilio'), ['media_minutes livekit', 'telephony_minutes twilio']);
  assert.deepEqual(await billed('livekit', 'twilio', 'ST_a'), ['media_minutes livekit', 'telephony_minutes twilio']);
  assert.deepEqual(await billed('livekit', 'twilio', 'ST_b'), ['media_minutes livekit', 'telephony_minutes telnyx']);
  assert.deepEqual(await billed('livekit', 'sandbox'), ['media_minutes livekit', 'telephony_minutes sip']);
  assert.deepEqual(await billed('sandbox', 'sandbox'), ['media_minutes sandbox', 'telephony_minutes sandbox']);
});

test('a file of events has those that were logged until it was begun', async () => {
  await sql`
    insert into usage_events (id, session_id, user_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
    select gen_random_uuid(), repeat('s', 250), 'many', repeat('p', 250), 'llm_tokens', 1, 1, 1, timestamptz '2026-01-09T00:00:00Z'
    from generate_series(1, 30000)`.execute(db);
  const headers = { accept: 'text/csv', 'x-user-id': 'many' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${service.url}/api/usage/events?end_date=2026-01-31`, { headers, agent: false }, resolve).on('error', reject);
  });
  clock.advance(1);
  const later = { session_id: 's', user_id: 'many', provider: 'p', event_type: 'llm_tokens' as const, quantity: '1' };
  await insertUsageEvents(db, [{ ...later, id: newId(), unit_cost: '7', created_at: clock.now() }]);
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  assert.equal(readCsv(text).length, 30_000);
  const { body } = await service.request('GET', '/api/costs/report?group_by=day', { user: 'many' });
  assert.equal(body.total_cost, '7');
});

for (const kind of ['pages', 'rows of one instant']) {
  test(`a file of ${kind} that breaks off has no last chunk, so that its client fails`, async () => {
    const app = fastify();
    const send = createCsvExports();
    const rows = Array.from({ length: 10 }, () => ({ name: 'x' }));
    app.addHook('onRequest', async (request) => {
      Object.assign(request, { caller: 'me', principal: null, isStillAllowed: null });
    });
    app.get('/', (_request, reply) =>
      kind === 'pages'
        ? send(
            reply,
            'rows',
            { name: 'text' },
            (async function* () {
              yield rows;
              throw new Error('lost');
            })(),
          )
        : send(reply, 'rows', { name: 'text' }, async (take) => {
            await take(rows);
            throw new Error('lost');
          }),
    );
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(url);
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
    await app.close();
  });
}
