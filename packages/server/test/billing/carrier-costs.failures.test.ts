import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { sql } from 'kysely';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  after,
  agent_id,
  call,
  clock,
  database,
  importDay,
  nextDay,
  OWN,
  record,
  report,
  service,
  twilio,
} from '../support/carrier-costs.ts';

test('an interrupted import is completed by the next, and books nothing twice', async () => {
  const date = nextDay();
  const at = clock.now();
  const lines = Array.from({ length: 700 }, (_, index) => ({
    id: newId(),
    phone: `+1500555${String(1000 + index)}`,
    ended_at: after(index * 1000 + 60_000),
  }));
  await sql`
    insert into sessions (id, room_name, user_id, agent_id, status, session_data, call_direction, call_status,
      outbound_phone_number, started_at, ended_at, duration, created_at, updated_at)
    select id, 'bulk-' || id, ${USER}, ${agent_id}, 'COMPLETED', '{}', 'OUTBOUND', 'COMPLETED', phone,
      started, started, 0, started, started
    from unnest(${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ phone }) => phone)}::text[]) as line (id, phone),
      cast(${at.toISOString()} as timestamptz) as started`.execute(database.db);
  await insertUsageEvents(
    database.db,
    lines.map(({ id, ended_at }) => ({
      id: newId(),
      session_id: id,
      user_id: USER,
      agent_id,
      provider: 'twilio',
      created_at: ended_at,
      event_type: 'telephony_minutes',
      model: '1500',
      direction: 'OUTBOUND',
      quantity: '1',
      unit_cost: '0.02',
    })),
  );
  record(
    ...lines.map(({ phone, ended_at }) =>
      twilioCall({ to: phone, from: OWN, ended_at, started_at: new Date(ended_at.getTime() - 60_000), price: '-0.03' }),
    ),
  );
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin if (select count(*) from carrier_records) > 520 then raise 'cut off'; end if; return null; end $$`.execute(
    database.db,
  );
  await sql`create trigger refuse after insert on carrier_records execute function refuse()`.execute(database.db);
  const broken = await service.request('POST', `/api/costs/carrier-import?date=${date}`);
  assert.equal(broken.status, 500);
  const half = await report(date);
  assert.equal(half.total_cost, '19', '500 of them are booked, and 200 are not');
  await sql`drop trigger refuse on carrier_records`.execute(database.db);
  assert.equal((await importDay(date)).imported, 200);
  assert.equal((await report(date)).total_cost, '21');
  assert.deepEqual((await createRollups(database.db).verify(() => {})).wrong, []);
});

test('a line of more minutes than a call can have does not keep its day from being imported', async () => {
  const date = nextDay();
  const { call_id, found } = await call('+15005550100', 61_000, { price: '-0.05' });
  record(found);
  const line = { session_id: call_id, user_id: USER, provider: 'twilio', event_type: 'telephony_minutes' };
  for (const quantity of ['10000000000', '-10000000000', '99999999999999999999999999999999999999']) {
    const events = [{ ...line, quantity, unit_cost: '0', total_cost: '0' }];
    assert.equal((await service.request('POST', '/api/usage/events/batch', { body: { events } })).status, 201);
  }
  const { records, imported } = await importDay(date);
  assert.deepEqual([records, imported], [1, 1]);
});

test('the imported records of an erased user are deleted, stay in the totals, and are not booked again', async () => {
  const date = nextDay();
  const { found } = await call('+15005550100', 10_000, { price: '-0.5' });
  record(found);
  await importDay(date);
  const before = await report(date);
  assert.equal(before.total_cost, '0.5');
  assert.equal((await service.request('DELETE', `/api/users/${USER}`, { user: USER })).status, 200);
  const { rows } = await sql`select from carrier_records`.execute(database.db);
  assert.equal(rows.length, 0);
  const { imported, unmatched_records } = await importDay(date);
  assert.deepEqual([imported, unmatched_records.count], [0, 1]);
  assert.equal((await report(date)).total_cost, '0.5');
});

test('a carrier that does not respond is a 502 or 504, and an invalid day a 422', async () => {
  twilio.disturb({ answer: { status: 401, body: { code: 20003, message: 'Authenticate' } } });
  assert.equal((await service.request('POST', '/api/costs/carrier-import?date=2026-02-01')).status, 502);
  twilio.recover();
  for (const query of ['', '?date=2026-02-30', '?date=2026-02', '?date=1999-12-31', '?date=2026-02-01&user_id=x'])
    assert.equal((await service.request('POST', `/api/costs/carrier-import${query}`)).status, 422, query);
  for (const date of ['2000-01-01', '2999-12-31']) assert.equal((await importDay(date)).records, 0);
});
