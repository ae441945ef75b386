import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { reaches, USER } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { DAYS, PHONE, startScheduling } from '../support/schedules.ts';
import { findStored } from '../support/stored-text.ts';

const MONDAY = '2027-01-11T03:00:00.000Z';
const AT = '2027-01-12T10:00:00.000Z';
const OFFICE = { windows: [{ country: 'DE', days: DAYS, from: '09:00', to: '17:00' }] };

test('a scheduled call holds nothing until it is due, and is a call from then on, under both ids', async () => {
  const { service, send, book, get, goTo, calls, events } = await startScheduling(MONDAY);
  const data = { variables: { name: 'Ada' }, metadata: { crm_id: 'C-17' }, max_duration_s: 300 };
  const booked = await book({ at: AT, ...data });
  assert.deepEqual([booked.status, booked.due_at, booked.window, booked.call_id], ['SCHEDULED', AT, null, null]);
  assert.deepEqual([booked.variables, booked.metadata], [data.variables, data.metadata]);
  await goTo('2027-01-12T09:59:59.999Z');
  assert.deepEqual(await calls(), []);
  assert.equal((await send('GET', `/api/calls/${booked.scheduled_call_id}`)).status, 404);
  await goTo(AT);
  const placed = await get(booked.scheduled_call_id);
  assert.deepEqual([placed.status, placed.variables, placed.reason], ['PLACED', {}, null]);
  const [call, ...others] = await calls();
  assert.deepEqual([call.call_id, others], [placed.call_id, []]);
  const shown = await reaches(service, booked.scheduled_call_id, 'ANSWERED');
  assert.equal(shown.call_id, placed.call_id);
  assert.deepEqual([shown.variables, shown.metadata, shown.max_duration_s], [data.variables, data.metadata, 300]);
  assert.equal(shown.created_at, AT);
  // Whatever is done again places nothing.
  await goTo('2027-01-12T10:00:01.000Z');
  assert.equal((await calls()).length, 1);
  const [event] = await eventually(events, (all) => all.length > 0);
  assert.deepEqual([event.status, event.call_id], ['PLACED', placed.call_id]);
});

test('an event says nothing of what a call is to be given, which is kept only until it is placed', async () => {
  const { service, send, book, events } = await startScheduling(MONDAY);
  const booked = await book({ at: AT, variables: { name: 'zebulon' }, metadata: { crm_id: 'zebulon' } });
  await send('PATCH', `/api/scheduled-calls/${booked.scheduled_call_id}`, { at: '2027-01-12T11:00:00.000Z' });
  const [event] = await eventually(events, (all) => all.length > 0);
  assert.deepEqual([event.status, event.due_at, event.variables], ['SCHEDULED', '2027-01-12T11:00:00.000Z', undefined]);
  assert.deepEqual(await findStored(service.database.db, ['zebulon']), ['scheduled_calls: zebulon']);
});

test('a request that is repeated gets its answer, once its time has passed too, and books one call', async () => {
  const { call, goTo, calls } = await startScheduling(MONDAY);
  const key = { 'idempotency-key': randomUUID() };
  const first = await call({ at: AT }, key);
  assert.equal(first.status, 201);
  assert.deepEqual((await call({ at: AT }, key)).body, first.body);
  await goTo('2027-01-12T02:59:59.000Z');
  assert.equal((await call({ at: '2027-01-12T02:00:00Z' }, { 'idempotency-key': randomUUID() })).status, 422);
  assert.deepEqual((await call({ at: AT }, key)).body, first.body);
  assert.equal((await call({ at: '2027-01-13T10:00:00Z' }, key)).status, 422);
  await goTo(AT);
  assert.equal((await calls()).length, 1);
});

test('a call that is not allowed now is scheduled for when it is, if the request says so', async () => {
  const { call, policy, get, goTo, calls } = await startScheduling(MONDAY);
  await policy(OFFICE);
  assert.equal((await call()).body.code, 'dial_deferred');
  const key = { 'idempotency-key': randomUUID() };
  const answer = await call({ if_not_now: 'schedule' }, key);
  assert.deepEqual(
    [answer.status, answer.body.status, answer.body.due_at],
    [201, 'SCHEDULED', '2027-01-11T08:00:00.000Z'],
  );
  assert.deepEqual((await call({ if_not_now: 'schedule' }, key)).body, answer.body);
  // Meanwhile it is a holiday.
  await policy({ ...OFFICE, holidays: [{ country: 'DE', date: '2027-01-11' }] });
  await goTo('2027-01-11T08:00:00.000Z');
  const moved = await get(answer.body.call_id);
  assert.deepEqual(
    [moved.status, moved.due_at, moved.reason],
    ['SCHEDULED', '2027-01-12T08:00:00.000Z', 'dial_deferred'],
  );
  await goTo('2027-01-12T08:00:00.000Z');
  assert.equal((await get(answer.body.call_id)).status, 'PLACED');
  assert.equal((await calls()).length, 1);
  // Allowed: placed at once, as without it.
  assert.equal((await call({ if_not_now: 'schedule' })).body.status, 'RINGING');
});

test('a call begins with the hours in its window, and is refused if there are none', async () => {
  const { call, book, policy, suppress } = await startScheduling(MONDAY);
  await policy(OFFICE);
  const early = await book({ window: { earliest: '2027-01-12T07:00', latest: '2027-01-12T12:00' } });
  assert.equal(early.due_at, '2027-01-12T08:00:00.000Z');
  const hours = { earliest: '2027-01-12T07:00', latest: '2027-01-12T08:00' };
  const never = await call({ window: hours });
  assert.deepEqual([never.status, never.body.code], [409, 'dial_deferred']);
  assert.equal((await call({ window: hours, if_missed: 'next_window' })).body.code, 'dial_deferred');
  const later = { earliest: '2027-01-12T07:00', latest: '2027-01-12T07:30' };
  await policy({ windows: [{ country: 'DE', days: ['sat'], from: '07:15', to: '17:00' }] });
  const saturday = await book({ window: later, if_missed: 'next_window' });
  assert.equal(saturday.due_at, '2027-01-16T06:15:00.000Z');
  await suppress();
  assert.equal((await call({ at: AT })).body.code, 'dial_denied');
});

test('what became impossible meanwhile ends with a reason that the caller learns', async () => {
  const { send, book, get, goTo, suppress, agent_id, events } = await startScheduling(MONDAY);
  const suppressed = await book({ at: AT });
  await suppress();
  await goTo(AT);
  const refused = await get(suppressed.scheduled_call_id);
  assert.deepEqual([refused.status, refused.reason, refused.call_id], ['REFUSED', 'dial_denied', null]);
  assert.match(refused.detail, /suppressed/);
  const decisions = (await send('GET', `/api/dial-decisions?phone_number=${encodeURIComponent(PHONE)}`)).body.items;
  assert.deepEqual(
    decisions.map((one: { outcome: string }) => one.outcome),
    ['deny'],
  );
  const other = { phone_number: '+4930654321' };
  const orphan = await book({ ...other, at: '2027-01-12T11:00:00Z' });
  await goTo('2027-01-12T12:30:00Z');
  assert.deepEqual((await get(orphan.scheduled_call_id)).reason, 'missed');
  const deleted = await book({ ...other, at: '2027-01-12T13:00:00Z' });
  assert.equal((await send('DELETE', `/api/agents/${agent_id}`)).status, 204);
  await goTo('2027-01-12T13:00:00Z');
  const gone = await get(deleted.scheduled_call_id);
  assert.deepEqual([gone.status, gone.reason], ['REFUSED', 'agent_not_found']);
  assert.deepEqual((await send('GET', '/api/calls')).body.items, []);
  const told = await eventually(events, (all) => all.length >= 3);
  assert.deepEqual(told.map(({ status, reason }) => `${status} ${reason}`).sort(), [
    'EXPIRED missed',
    'REFUSED agent_not_found',
    'REFUSED dial_denied',
  ]);
});

test('a call that the budget does not cover waits within its window, says why once, and is placed when it is raised', async () => {
  const { send, book, get, goTo, calls, events } = await startScheduling(MONDAY);
  const budget = (monthly_limit: string) => send('PUT', `/api/budgets/${USER}`, { monthly_limit, refuse_calls: true });
  const hours = { earliest: '2027-01-12T12:00', latest: '2027-01-12T13:00', time_zone: 'UTC' };
  const once = await book({ window: hours });
  const daily = await book({ window: hours, if_missed: 'next_window' });
  const late = await book({ at: '2027-01-12T12:15:00Z' });
  await budget('0');
  for (const time of ['12:15', '12:30', '12:45']) await goTo(`2027-01-12T${time}:00Z`);
  for (const one of [once, daily, late]) {
    const { status, reason, detail } = await get(one.scheduled_call_id);
    assert.deepEqual([status, reason], ['SCHEDULED', 'budget_exceeded']);
    assert.match(detail, /budget/);
  }
  // The next time would be after the end of two of them, which get a last one before it.
  await goTo('2027-01-12T12:58:00Z');
  for (const one of [once, daily]) {
    const { status, due_at } = await get(one.scheduled_call_id);
    assert.deepEqual([status, due_at], ['SCHEDULED', '2027-01-12T12:00:00.000Z']);
  }
  await goTo('2027-01-12T12:59:50Z');
  const { status, reason } = await get(once.scheduled_call_id);
  assert.deepEqual([status, reason], ['EXPIRED', 'budget_exceeded']);
  const { status: again, due_at } = await get(daily.scheduled_call_id);
  assert.deepEqual([again, due_at], ['SCHEDULED', '2027-01-13T12:00:00.000Z']);
  assert.deepEqual(await calls(), []);
  await budget('1000');
  await goTo('2027-01-12T13:04:00Z');
  assert.deepEqual((await get(late.scheduled_call_id)).status, 'PLACED');
  assert.equal((await calls()).length, 1);
  const told = await eventually(events, (all) => all.some((one) => one.status === 'PLACED'));
  assert.equal(told.filter((one) => one.status === 'SCHEDULED').length, 4, 'three that wait, and one that has moved');
});

test('a window that was missed comes again the next day, or the call expires', async () => {
  const { book, get, goTo, calls } = await startScheduling(MONDAY);
  const hours = { earliest: '2027-01-12T09:00', latest: '2027-01-12T10:00' };
  const once = await book({ window: hours });
  const daily = await book({ window: hours, if_missed: 'next_window' });
  assert.equal(daily.window.time_zone, 'Europe/Berlin');
  await goTo('2027-01-12T09:30:00Z');
  assert.equal((await get(once.scheduled_call_id)).status, 'EXPIRED');
  const again = await get(daily.scheduled_call_id);
  assert.deepEqual([again.status, again.due_at], ['SCHEDULED', '2027-01-13T08:00:00.000Z']);
  assert.deepEqual(await calls(), []);
  await goTo('2027-01-13T08:00:00Z');
  assert.equal((await get(daily.scheduled_call_id)).status, 'PLACED');
});

test('a call that a limit keeps waiting is placed as soon as there is room', async () => {
  const { book, get, goTo, send, call } = await startScheduling(MONDAY, { CALLS_CONCURRENT: '1' });
  const booked = await book({ at: '2027-01-11T03:00:01Z' });
  // The sandbox allows ten times as many.
  const open = await Promise.all(Array.from({ length: 10 }, () => call({ phone_number: '+15005550100' })));
  assert.deepEqual(new Set(open.map(({ status }) => status)), new Set([201]));
  await goTo('2027-01-11T03:00:01Z');
  assert.equal((await get(booked.scheduled_call_id)).status, 'SCHEDULED');
  await send('POST', `/api/calls/${open[0]?.body.call_id}/end`);
  await goTo('2027-01-11T03:00:30Z');
  assert.equal((await get(booked.scheduled_call_id)).status, 'PLACED');
});

test('a scheduled call is moved and canceled, by its user alone, until it is placed', async () => {
  const { service, send, book, get, goTo, calls } = await startScheduling(MONDAY);
  const { scheduled_call_id: id } = await book({ at: AT });
  const path = `/api/scheduled-calls/${id}`;
  for (const [method, at, body] of [
    ['GET', path, undefined],
    ['PATCH', path, { at: AT }],
    ['POST', `${path}/cancel`, undefined],
  ] as const)
    assert.equal((await service.request(method, at, { user: 'user-2', body })).status, 404);
  const moved = await send('PATCH', path, { at: '2027-01-13T10:00:00Z' });
  assert.deepEqual([moved.status, moved.body.due_at], [200, '2027-01-13T10:00:00.000Z']);
  await goTo(AT);
  assert.deepEqual(await calls(), []);
  assert.equal((await send('PATCH', path, { at: MONDAY })).status, 422);
  assert.equal((await send('PATCH', path, {})).status, 422);
  assert.equal((await send('PATCH', path, { at: '2027-01-12T10:00:01Z' })).status, 200);
  const other = await book({ at: '2027-01-12T10:00:01Z' });
  const canceled = await send('POST', `/api/scheduled-calls/${other.scheduled_call_id}/cancel`);
  assert.deepEqual([canceled.status, canceled.body.status, canceled.body.reason], [200, 'CANCELED', 'canceled']);
  await goTo('2027-01-12T10:00:01Z');
  assert.equal((await get(id)).status, 'PLACED');
  assert.equal((await calls()).length, 1);
  for (const [method, at, body] of [
    ['PATCH', path, { at: '2027-01-13T10:00:00Z' }],
    ['POST', `${path}/cancel`, undefined],
    ['POST', `/api/scheduled-calls/${other.scheduled_call_id}/cancel`, undefined],
  ] as const)
    assert.equal((await send(method, at, body)).body.code, 'not_scheduled');
  const list = async (query: string) => (await send('GET', `/api/scheduled-calls${query}`)).body.items;
  assert.equal((await list('')).length, 2);
  assert.deepEqual(
    (await list('?status=CANCELED')).map((one: { status: string }) => one.status),
    ['CANCELED'],
  );
  assert.equal((await list(`?phone_number=${encodeURIComponent('+4930999999')}`)).length, 0);
  const { items } = (await service.request('GET', '/api/audit?limit=100')).body;
  const done = items.filter(({ outcome }: { outcome: string }) => outcome === 'succeeded');
  const actions = done.map(({ action }: { action: string }) => action);
  assert.equal(actions.filter((one: string) => one === 'scheduled_call.moved').length, 2);
  assert.equal(actions.filter((one: string) => one === 'scheduled_call.canceled').length, 1);
});

test('a user who is erased is not called, and nothing of it stays', async () => {
  const { service, book, goTo } = await startScheduling(MONDAY);
  await book({ at: AT });
  const answer = await service.request('DELETE', `/api/users/${USER}`);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  await eventually(
    async () => {
      await service.app.reconcile();
      return service.database.db.selectFrom('scheduled_calls').selectAll().execute();
    },
    (rows) => rows.length === 0,
  );
  await goTo(AT);
  const work = await service.database.db.selectFrom('work').select('id').where('kind', '=', 'scheduled_call').execute();
  assert.deepEqual(work, []);
  assert.deepEqual(await service.database.db.selectFrom('sessions').select('id').execute(), []);
});

test('a call that was placed by a process that died is settled like any other, and not placed again', async () => {
  const { service, clock, book, goTo, get, calls } = await startScheduling(MONDAY);
  const dying = Promise.withResolvers<never>();
  const { createRoom } = service.media;
  // As if the process ended with the commit: nobody creates the room.
  service.media.createRoom = () => dying.promise;
  const { scheduled_call_id: id } = await book({ at: AT });
  const dead = goTo(AT);
  await eventually(
    () => get(id),
    ({ status }) => status === 'PLACED',
  );
  service.media.createRoom = createRoom;
  const { db } = service.database;
  await sql`update work set leased_until = now() - interval '1 second', due_at = ${AT}::timestamptz
    where kind = 'scheduled_call'`.execute(db);
  const other = await startService({ database: service.database, clock: clock, env: { CALLS_BURST: '1000' } });
  await other.app.reconcile();
  assert.equal((await calls()).length, 1);
  dying.reject(new Error('the process has died'));
  await dead;
  assert.deepEqual(await db.selectFrom('work').select('id').where('kind', '=', 'scheduled_call').execute(), []);
  await other.close();
});

test('two processes that find the same calls due place each once', async () => {
  const { service, clock, book, calls } = await startScheduling(MONDAY);
  const other = await startService({ database: service.database, clock, env: { CALLS_BURST: '1000' } });
  for (let index = 0; index < 30; index++) await book({ at: AT, phone_number: `+49301234${500 + index}` });
  clock.set(AT);
  await Promise.all([service.app.reconcile(), other.app.reconcile()]);
  const numbers = (await calls()).map((one: { outbound_phone_number: string }) => one.outbound_phone_number);
  assert.deepEqual([numbers.length, new Set(numbers).size], [30, 30]);
  await other.close();
});
