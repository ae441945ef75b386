import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { type CallResource, twilioCall } from '@switchboard/testkit/twilio-calls.ts';
import { startTwilioStandIn } from '@switchboard/testkit/twilio-stand-in.ts';
import { sql } from 'kysely';
import { createRollups } from '../src/features/usage/rollups.ts';
import { insertUsageEvents } from '../src/features/usage/store.ts';
import { newId, timeIds } from '../src/lib/ids.ts';
import { createTwilioCarrier } from '../src/providers/carrier/twilio.ts';

const OWN = '+15005550010';
const clock = createTestClock('2026-01-01T09:00:00.000Z');
timeIds(() => clock.now().getTime());
const twilio = await startTwilioStandIn({ phone_numbers: [OWN] });
const carrier = createTwilioCarrier({ ...twilio.account, baseUrl: twilio.url });
const database = await openTestDatabase();
const env = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000' };
const service = await startService({ clock, carrier, database, env });
const replica = await startService({ clock, carrier, database, env });
const agent_id = await createAgent(service);
const price = { provider: 'twilio', event_type: 'telephony_minutes', valid_from: '2026-01-01' };
const entries = [{ ...price, prefix: '1500', price: '0.02', billing_increment: '60/60' }];
assert.equal((await service.request('PUT', '/api/prices', { body: { entries } })).status, 200);

/** Calls are of a day each, so that the tests do not see one another's. */
let today = 1;
function nextDay(): string {
  today += 1;
  const date = `2026-01-${String(today).padStart(2, '0')}`;
  clock.set(`${date}T09:00:00.000Z`);
  twilio.setUp({ calls: [] });
  return date;
}
const record = (...calls: CallResource[]) => twilio.setUp({ calls });
const after = (ms: number) => new Date(clock.now().getTime() + ms);
const importDay = async (date: string, on = service) => {
  const { status, body } = await on.request('POST', `/api/costs/carrier-import?date=${date}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const end = (call_id: string) => service.request('POST', `/api/calls/${call_id}/end`);

/** A call to this phone that lasts so long, and the carrier's record of it: the carrier counts the ringing too. */
async function call(phone: string, ms: number, fields: Partial<CallResource> = {}) {
  const { call_id } = await placeCall(service, phone, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  const started_at = after(-8_000);
  clock.advance(ms);
  await end(call_id);
  const found = twilioCall({ to: phone, from: OWN, started_at, ended_at: after(700), ...fields });
  clock.advance(600_000);
  return { call_id, found };
}

const eventsOf = async (session_id: string): Promise<[Json, Json, ...Json[]]> => {
  const { body } = await service.request('GET', `/api/usage/events?limit=100&session_id=${session_id}`);
  return body.items.filter(({ event_type }: Json) => event_type === 'telephony_minutes');
};
const costOf = async (session_id: string): Promise<string> =>
  (await service.request('GET', `/api/sessions/${session_id}/costs`)).body.by_event_type.telephony_minutes;
const report = async (date: string) =>
  (
    await service.request(
      'GET',
      `/api/costs/report?group_by=provider&provider=twilio&start_date=${date}&end_date=${date}`,
    )
  ).body;

test('the ledger equals what the carrier billed, once, however often and by how many it is imported', async () => {
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
    ...{ date, currency: 'USD', records: 3, imported: 0, pending: 0, other_currency: 0 },
    ...{ booked: '0.06', billed: '0.0885', difference: '0.0285' },
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
    ...['0.0555', '0.02', '0.013'],
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

test('a record that is not billed yet is imported later, and one whose price changes once more', async () => {
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

test('calls to one number are told apart by their times, and by the days of their records', async () => {
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
    ...['0.01', '0.02', '0.03', '0.04', '0.05'],
  ]);
});

test('inbound calls, and the targets of transfers, have records of their own', async () => {
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

test('what has no counterpart is listed, and another currency is not booked', async () => {
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
    ...{ count: 1, booked: '0.02' },
    items: [
      {
        ...{ session_id: lost.call_id, event_id: booked.id, direction: 'OUTBOUND' },
        ...{ ended_at: booked.created_at, booked: '0.02' },
      },
    ],
  });
  assert.deepEqual(answer.unmatched_records, {
    ...{ count: 1, billed: '0.013' },
    items: [
      {
        ...{ carrier_call_sid: stranger.sid, parent_call_sid: null, from: OWN, to: '+15005550199' },
        ...{ started_at: started_at.toISOString(), duration_s: 10, cost: '0.013', currency: 'USD' },
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

test('an import that broke off in the middle is completed by the next, and books nothing twice', async () => {
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
      ...{ id: newId(), session_id: id, user_id: USER, agent_id, provider: 'twilio', created_at: ended_at },
      ...({ event_type: 'telephony_minutes', model: '1500', direction: 'OUTBOUND' } as const),
      ...{ quantity: '1', unit_cost: '0.02' },
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

test('what was imported of an erased user is forgotten, stays in the bill, and is not booked again', async () => {
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

test('a carrier that does not answer is a 502 or 504, and what is no day a 422', async () => {
  twilio.disturb({ answer: { status: 401, body: { code: 20003, message: 'Authenticate' } } });
  assert.equal((await service.request('POST', '/api/costs/carrier-import?date=2026-02-01')).status, 502);
  twilio.recover();
  for (const query of ['', '?date=2026-02-30', '?date=2026-02', '?date=1999-12-31', '?date=2026-02-01&user_id=x'])
    assert.equal((await service.request('POST', `/api/costs/carrier-import${query}`)).status, 422, query);
  for (const date of ['2000-01-01', '2999-12-31']) assert.equal((await importDay(date)).records, 0);
});
