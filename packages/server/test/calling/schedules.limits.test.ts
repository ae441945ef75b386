import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { sql } from 'kysely';
import { DAYS, startScheduling } from '../support/schedules.ts';
import { tidy } from '../support/tidy.ts';

const AT = '2027-01-12T10:00:00.000Z';

test('a user has up to 10,000 calls that wait', async () => {
  const { service, book, call, send } = await startScheduling('2027-01-11T03:00:00.000Z');
  const { scheduled_call_id } = await book({ at: AT });
  await sql`insert into scheduled_calls select gen_random_uuid(), user_id, agent_id, phone_number, status, request,
    callback_url, room_name, hours, due_at, latest_at, expires_at, reason, detail, call_id, booked_in, created_at, updated_at
    from scheduled_calls, generate_series(1, 9999)`.execute(service.database.db);
  assert.equal((await call({ at: AT })).body.code, 'too_many_scheduled');
  await send('POST', `/api/scheduled-calls/${scheduled_call_id}/cancel`);
  assert.equal((await call({ at: AT })).status, 201);
});

test('a call is scheduled for up to 90 days ahead', async () => {
  const { book, call } = await startScheduling('2027-01-11T03:00:00.000Z');
  const last = '2027-04-11T03:00:00.000Z';
  assert.equal((await book({ at: last })).due_at, last);
  assert.equal((await call({ at: '2027-04-11T03:00:00.001Z' })).status, 422);
});

test('a call that was booked long before it was placed is kept as long as any other', async () => {
  const env = { AUDIT_RETENTION_DAYS: '31' };
  const { service, book, send, clock, goTo } = await startScheduling('2027-01-11T03:00:00.000Z', env);
  const { scheduled_call_id: id } = await book({ at: '2027-04-01T10:00:00.000Z' });
  await goTo('2027-04-01T10:00:00.000Z');
  const afterDays = async (days: number) => {
    clock.advance(days * 24 * 3_600_000);
    await tidy(service);
    return (await send('GET', `/api/scheduled-calls/${id}`)).status;
  };
  assert.equal(await afterDays(30), 200);
  assert.equal((await send('GET', `/api/calls/${id}`)).status, 200);
  assert.equal(await afterDays(2), 404);
});

test('what is scheduled counts towards the stored bytes of its user, until it is over', async () => {
  const { service, book, send } = await startScheduling('2027-01-11T03:00:00.000Z');
  const stored = async () => {
    const { rows } = await sql<{ counted: number; stored: number }>`
      select (select coalesce(sum(bytes), 0)::int from storage_changes where user_id = ${USER})
          + (select coalesce(sum(bytes), 0)::int from stored_bytes where user_id = ${USER}) as counted,
        (select coalesce(sum(bytes), 0)::int from stored_content where user_id = ${USER}) as stored`.execute(
      service.database.db,
    );
    const [found = assert.fail()] = rows;
    assert.equal(found.counted, found.stored);
    return found.stored;
  };
  const before = await stored();
  const { scheduled_call_id } = await book({ at: AT, metadata: { text: 'x'.repeat(10_000) } });
  const during = await stored();
  assert.ok(during - before > 10_000);
  await send('POST', `/api/scheduled-calls/${scheduled_call_id}/cancel`);
  assert.ok((await stored()) < during - 8_000);
});

test('a call of one version of its agent is foreseen with the policy of that version', async () => {
  const { send, call, agent_id } = await startScheduling('2027-01-11T03:00:00.000Z');
  const windows = [{ country: 'DE', days: DAYS, from: '09:00', to: '09:30' }];
  assert.equal((await send('PUT', '/api/dial-policies/early', { windows })).status, 200);
  const changed = await send('PATCH', `/api/agents/${agent_id}`, { config: { compliance: { policy: 'early' } } });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const at = '2027-01-12T10:00:00.000Z';
  assert.equal((await call({ at })).status, 409);
  assert.equal((await call({ at, agent_version: 1 })).status, 201);
  assert.equal((await call({ at, agent_version: 99 })).status, 422);
});

const MONDAY = '2027-01-11T03:00:00.000Z';
const HOUR = { earliest: '2027-01-12T12:00', latest: '2027-01-12T13:00', time_zone: 'UTC' };

test('a call that waits for its budget has a last try right before its window ends, however long its pauses are', async () => {
  const { send, book, get, goTo, calls } = await startScheduling(MONDAY);
  const budget = (monthly_limit: string) => send('PUT', `/api/budgets/${USER}`, { monthly_limit, refuse_calls: true });
  const { scheduled_call_id: id } = await book({ window: HOUR });
  await budget('0');
  for (const time of ['12:30:00', '12:57:00']) await goTo(`2027-01-12T${time}Z`);
  await budget('1000');
  await goTo('2027-01-12T12:59:49Z');
  assert.deepEqual(await calls(), []);
  await goTo('2027-01-12T12:59:50Z');
  assert.equal((await get(id)).status, 'PLACED');
});

test('a limit that says that it lasts longer than the window ends the wait at once', async () => {
  const { call, book, get, goTo } = await startScheduling(MONDAY, { CALLS_PER_DAY: '1' });
  const { scheduled_call_id: id } = await book({ window: HOUR });
  await goTo('2027-01-12T11:59:00Z');
  for (let placed = 0; placed < 10; placed++) assert.equal((await call()).status, 201);
  await goTo('2027-01-12T12:00:00Z');
  const { status, reason } = await get(id);
  assert.deepEqual([status, reason], ['EXPIRED', 'too_many_calls']);
});
