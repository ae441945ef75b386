import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { type CallResource, twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { lockDue } from '../../src/billing/carrier-costs/store.ts';
import { createRollups } from '../../src/ledger/usage/rollups.ts';
import {
  after,
  agent_id,
  call,
  clock,
  costOf,
  database,
  end,
  eventsOf,
  importDay,
  nextDay,
  OWN,
  record,
  replica,
  report,
  service,
} from '../support/carrier-costs.ts';

test('the ledger equals the carrier’s bill, however often and concurrently it is imported', async () => {
  const date = nextDay();
  const dearer = await call('+15005550100', 61_000, { price: '-0.05550' });
  const same = await call('+15005550100', 30_000, { price: '-0.02' });
  const unpriced = await call('+442079460000', 30_000, {
    price: '-0.01300',
    to: 'sip:+442079460000@x.pstn.twilio.com',
  });
  record(dearer.found, same.found, unpriced.found);
  const [first, second] = await Promise.all([importDay(date), importDay(date, replica)]);
  assert.equal(first.imported + second.imported, 3);
  const expected = {
    date,
    currency: 'USD',
    records: 3,
    imported: 0,
    pending: 0,
    other_currency: 0,
    booked: '0.06',
    billed: '0.0885',
    difference: '0.0285',
    unmatched_records: { count: 0, billed: '0', items: [] },
    unmatched_lines: { count: 0, booked: '0', items: [] },
  };
  const { calls, ...again } = await importDay(date);
  assert.deepEqual(again, expected);
  assert.deepEqual(
    calls.map(({ session_id, booked, billed, difference }: Json) => [session_id, booked, billed, difference]),
    [
      [dearer.call_id, '0.04', '0.0555', '0.0155'],
      [unpriced.call_id, '0', '0.013', '0.013'],
    ],
  );
  assert.deepEqual(await Promise.all([dearer, same, unpriced].map(({ call_id }) => costOf(call_id))), [
    '0.0555',
    '0.02',
    '0.013',
  ]);
  const [booked, entry] = await eventsOf(dearer.call_id);
  const { quantity, unit_cost, total_cost, adjusts, used_on } = entry;
  assert.deepEqual([quantity, unit_cost, total_cost, adjusts, used_on], ['0', '0', '0.0155', booked.id, date]);
  assert.equal((await eventsOf(same.call_id)).length, 1, 'what was booked as it was billed has no entry');
  const { total_cost: total, unpriced: left } = await report(date);
  assert.deepEqual([total, left.events], ['0.0885', 0], 'a line that the carrier has priced is not unpriced any more');
  assert.equal((await service.request('POST', '/api/prices/apply')).body.priced, 0);
  assert.deepEqual((await createRollups(database.db).verify(() => {})).wrong, []);
});

test('an import has an entry in the audit log for what it has booked, and none if it has booked nothing', async () => {
  const entries = async () => {
    const { body } = await service.request('GET', '/api/audit?action=carrier_costs.imported&limit=100');
    return body.items.map(({ actor, target, outcome, detail }: Json) => [actor, target, outcome, detail]);
  };
  const before = await entries();
  const date = nextDay();
  const calls = [
    await call('+15005550100', 30_000, { price: '-0.02' }),
    await call('+15005550100', 61_000, { price: '-0.05' }),
  ];
  record(...calls.map(({ found }) => found));
  for (let times = 0; times < 2; times++) await importDay(date);
  assert.deepEqual(await entries(), [['open', 'carrier/twilio', 'succeeded', '2 records'], ...before]);
});

test('an unbilled record is imported later, and one whose price changes again', async () => {
  const date = nextDay();
  const { call_id, found } = await call('+15005550100', 10_000, { price: null });
  record(found);
  const early = await importDay(date);
  assert.deepEqual([early.records, early.pending, early.imported, early.calls], [1, 1, 0, []]);
  assert.deepEqual(early.unmatched_lines.items, [], 'its line is known');
  assert.equal(await costOf(call_id), '0.02');
  for (const [asked, cost] of [
    ['-0.015', '0.015'],
    ['-0.0185', '0.0185'],
    ['0', '0'],
  ] as const) {
    record({ ...found, price: asked });
    assert.equal((await importDay(date)).imported, 1);
    assert.equal((await importDay(date)).imported, 0);
    assert.equal(await costOf(call_id), cost);
  }
});

test('calls to one number are distinguished by their times, and by the days of their records', async () => {
  const date = nextDay();
  const calls: Awaited<ReturnType<typeof call>>[] = [];
  for (const [index, ms] of [5_000, 50_000, 20_000, 130_000].entries()) {
    calls.push(await call('+15005550100', ms, { price: `-0.0${index + 1}` }));
    clock.advance(-590_000);
  }
  clock.set(`${date}T23:59:58.000Z`);
  const late = await call('+15005550100', 20_000, { price: '-0.05' });
  record(late.found, ...calls.map(({ found }) => found));
  const { imported, unmatched_lines, unmatched_records } = await importDay(date);
  assert.deepEqual([imported, unmatched_lines.count, unmatched_records.count], [5, 0, 0]);
  assert.deepEqual(await Promise.all([...calls, late].map(({ call_id }) => costOf(call_id))), [
    '0.01',
    '0.02',
    '0.03',
    '0.04',
    '0.05',
  ]);
});

test('a call that rings before midnight and is answered after it has the record of the day before', async () => {
  const date = nextDay();
  clock.advance(15 * 60 * 60 * 1000 + 5_000);
  // Without a price, so that its duration is not rounded up to a minute.
  const late = await call('+442079460000', 20_000, { price: '-0.05' });
  record(late.found);
  const { imported, unmatched_lines, unmatched_records } = await importDay(date);
  assert.deepEqual([imported, unmatched_lines.count, unmatched_records.count], [1, 0, 0]);
  assert.equal(await costOf(late.call_id), '0.05');
  const next = await importDay(nextDay());
  assert.deepEqual([next.unmatched_lines.count, next.unmatched_records.count], [0, 0]);
});

test('a record that a concurrent import has booked on a line is not booked on another one', async () => {
  const date = nextDay();
  const booked = await call('+15005550100', 30_000, { price: '-0.05' });
  const other = await call('+15005550100', 30_000);
  record(booked.found);
  assert.equal((await importDay(date)).imported, 1);
  const [line] = await eventsOf(other.call_id);
  const pair = {
    carrier_call_sid: booked.found.sid,
    event_id: line.id,
    session_id: other.call_id,
    billed: '0.05',
    started_at: clock.now(),
    duration_s: 30,
  };
  assert.deepEqual(await database.db.transaction().execute((trx) => lockDue(trx, [pair])), []);
});

test('inbound calls and transfer targets have records of their own', async () => {
  const date = nextDay();
  const own = await createAgent(service);
  await service.request('POST', '/api/telephony/numbers/assign', { body: { agent_id: own, phone_number: OWN } });
  const inbound: { id: string; found: CallResource }[] = [];
  for (const [caller, price] of [
    ['+442079460000', '-0.0085'],
    ['+442079460001', '-0.0095'],
  ] as const) {
    const room_name = service.media.callIn(OWN, caller);
    const { body } = await eventually(
      () => service.request('GET', `/api/sessions/by-room/${room_name}`),
      ({ body }) => body.call_status === 'ANSWERED',
    );
    const direction = 'trunking-originating';
    const found = twilioCall({
      to: OWN,
      from: caller,
      started_at: after(0),
      ended_at: after(30_000),
      direction,
      price,
    });
    inbound.push({ id: body.id, found });
  }
  clock.advance(30_000);
  for (const { id } of inbound) await end(id);

  const target = '+15005550101';
  const { call_id } = await placeCall(service, '+15005550100', { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  const phone = twilioCall({ to: '+15005550100', from: OWN, started_at: after(0), ended_at: after(50_000) });
  clock.advance(20_000);
  await service.request('POST', `/api/sessions/${call_id}/transfer`, { body: { phone_number: target, type: 'WARM' } });
  await eventually(
    async () => (await service.request('GET', `/api/calls/${call_id}`)).body.transfers[0].status,
    (status) => status === 'connected',
  );
  const fields = { to: target, from: OWN, started_at: after(-2_000), ended_at: after(30_000) };
  const transferred = twilioCall({ ...fields, price: '-0.0333', parent_call_sid: phone.sid });
  clock.advance(30_000);
  await end(call_id);

  record(...inbound.map(({ found }) => found), phone, transferred);
  const { imported, unmatched_lines, unmatched_records } = await importDay(date);
  assert.deepEqual([imported, unmatched_lines.count, unmatched_records.count], [4, 0, 0]);
  assert.deepEqual(await Promise.all(inbound.map(({ id }) => costOf(id))), ['0.0085', '0.0095']);
  assert.equal(await costOf(call_id), '0.0463');
});

test('lines and records without a counterpart are listed, and another currency is not booked', async () => {
  const date = nextDay();
  const lost = await call('+15005550100', 10_000);
  const foreign = await call('+15005550100', 10_000, { price_unit: 'eur' });
  const [started_at, ended_at] = [after(0), after(10_000)];
  const stranger = twilioCall({ to: '+15005550199', from: OWN, started_at, ended_at });
  const busy = twilioCall({ to: '+15005550100', from: OWN, started_at, ended_at, status: 'busy', price: null });
  record(foreign.found, stranger, busy);
  const answer = await importDay(date);
  assert.deepEqual([answer.records, answer.imported, answer.other_currency], [2, 0, 1]);
  const [booked] = await eventsOf(lost.call_id);
  assert.deepEqual(answer.unmatched_lines, {
    count: 1,
    booked: '0.02',
    items: [
      {
        session_id: lost.call_id,
        event_id: booked.id,
        direction: 'OUTBOUND',
        ended_at: booked.created_at,
        booked: '0.02',
      },
    ],
  });
  assert.deepEqual(answer.unmatched_records, {
    count: 1,
    billed: '0.013',
    items: [
      {
        carrier_call_sid: stranger.sid,
        parent_call_sid: null,
        from: OWN,
        to: '+15005550199',
        started_at: started_at.toISOString(),
        duration_s: 10,
        cost: '0.013',
        currency: 'USD',
      },
    ],
  });
  const [{ total_cost }] = await eventsOf(foreign.call_id);
  assert.equal(total_cost, '0.02');
  const hidden = twilioCall({ to: '+15005550199', from: 'anonymous', started_at, ended_at });
  record(...Array.from({ length: 1001 }, (_, index) => ({ ...hidden, sid: `CA${String(index).padStart(32, '0')}` })));
  const many = await importDay(date);
  assert.deepEqual([many.unmatched_records.count, many.unmatched_records.items.length], [1001, 1000]);
});
