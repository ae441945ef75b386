import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { answeredCall, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';

const START = '2026-03-01T10:00:00.000Z';
const clock = createTestClock(START);
const service = await startService({ clock });
beforeEach(() => clock.set(START));

async function open(fields: object = {}): Promise<string> {
  const answer = await service.request('POST', '/api/sessions/', { body: { user_id: USER, ...fields } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

async function update(id: string, body: object | string) {
  const answer = await service.request('PATCH', `/api/sessions/${id}`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function refused(id: string, body: object | string): Promise<string[]> {
  return problemsOf(await service.request('PATCH', `/api/sessions/${id}`, { body }));
}

async function figuresAfter(id: string, body: object) {
  const { status, ended_at, duration } = await update(id, body);
  return { status, ended_at, duration };
}

test('metadata is merged into session_data: absent keys stay, null deletes, objects merge, the rest replaces', async () => {
  const id = await open({
    session_data: { keep: 1, drop: 2, list: [1, 2], deep: { keep: 1, drop: 2, to: { text: 1 } } },
  });
  const metadata = {
    drop: null,
    missing: null,
    list: [3],
    added: true,
    deep: { drop: null, to: 'text', new: { n: null } },
  };
  const { session_data } = await update(id, { metadata });
  const expected = { keep: 1, list: [3], added: true, deep: { keep: 1, to: 'text', new: {} } };
  assert.deepEqual(session_data, expected);
  assert.deepEqual((await service.request('GET', `/api/sessions/${id}`)).body.session_data, expected);
});

test('concurrent metadata of different workers is all kept', async () => {
  const id = await open();
  const keys = Array.from({ length: 10 }, (_, index) => `worker_${index}`);
  await Promise.all(keys.map((key) => update(id, { metadata: { shared: { [key]: true } } })));
  const { session_data } = (await service.request('GET', `/api/sessions/${id}`)).body;
  assert.deepEqual(Object.keys(session_data.shared).sort(), keys);
});

test('analysis is session_data.analysis if that is an object, else null', async () => {
  const id = await open();
  const analysed = await update(id, { metadata: { analysis: { sentiment: 'positive' } } });
  assert.deepEqual(analysed.analysis, { sentiment: 'positive' });
  assert.deepEqual(analysed.session_data, { analysis: { sentiment: 'positive' } });
  assert.deepEqual((await update(id, { metadata: { analysis: { score: 1 } } })).analysis, {
    sentiment: 'positive',
    score: 1,
  });
  for (const analysis of ['text', ['list'], 5, null]) {
    assert.equal((await update(id, { metadata: { analysis } })).analysis, null);
  }
});

test('an update without known fields leaves the session unchanged', async () => {
  const id = await open({ session_data: { a: 1 } });
  const before = (await service.request('GET', `/api/sessions/${id}`)).body;
  for (const body of [
    {},
    { ended_at: null, duration: null, metadata: null },
    { status: 'FAILED', user_id: 'mallory' },
  ]) {
    assert.deepEqual({ ...(await update(id, body)), updated_at: before.updated_at }, before);
  }
});

test('metadata alone does not end a session, and is still accepted after its end', async () => {
  const id = await open();
  assert.equal((await update(id, { metadata: { a: 1 } })).status, 'ACTIVE');
  await update(id, { duration: 1 });
  const { status, session_data, duration } = await update(id, { metadata: { b: 2 } });
  assert.deepEqual(
    { status, session_data, duration },
    { status: 'COMPLETED', session_data: { a: 1, b: 2 }, duration: 1 },
  );
});

test('ended_at ends a live session; the duration is derived from it, to the millisecond', async () => {
  assert.deepEqual(await figuresAfter(await open(), { ended_at: '2026-03-01T10:01:01.234Z' }), {
    status: 'COMPLETED',
    ended_at: '2026-03-01T10:01:01.234Z',
    duration: 61.234,
  });
});

test('an id in capital letters ends a live session, too', async () => {
  const id = await open();
  const { status } = await update(id.toUpperCase(), { duration: 5 });
  assert.equal(status, 'COMPLETED');
  const { body } = await service.request('GET', `/api/sessions/${id}`);
  assert.deepEqual([body.status, body.duration], ['COMPLETED', 5]);
});

test('ended_at may carry any offset', async () => {
  const { ended_at, duration } = await update(await open(), { ended_at: '2026-03-01T15:31:00+05:30' });
  assert.deepEqual({ ended_at, duration }, { ended_at: '2026-03-01T10:01:00.000Z', duration: 60 });
});

test('duration ends a live session; ended_at is derived from it', async () => {
  assert.deepEqual(await figuresAfter(await open(), { duration: 12.5 }), {
    status: 'COMPLETED',
    ended_at: '2026-03-01T10:00:12.500Z',
    duration: 12.5,
  });
  assert.deepEqual(await figuresAfter(await open(), { duration: 0 }), {
    status: 'COMPLETED',
    ended_at: START,
    duration: 0,
  });
});

test('ended_at and duration together are stored as sent', async () => {
  assert.deepEqual(await figuresAfter(await open(), { ended_at: '2026-03-01T11:00:00Z', duration: 42 }), {
    status: 'COMPLETED',
    ended_at: '2026-03-01T11:00:00.000Z',
    duration: 42,
  });
});

test('a duration is kept to the millisecond', async () => {
  assert.equal((await update(await open(), { duration: 0.1 + 0.2 })).duration, 0.3);
  assert.equal((await update(await open(), { duration: 1.23456 })).duration, 1.235);
});

test('on an ended session ended_at and duration correct the figures and leave the status unchanged', async () => {
  const id = await open();
  await update(id, { ended_at: '2026-03-01T10:01:00Z' });
  assert.deepEqual(await figuresAfter(id, { ended_at: '2026-03-01T10:02:00Z' }), {
    status: 'COMPLETED',
    ended_at: '2026-03-01T10:02:00.000Z',
    duration: 120,
  });
  assert.deepEqual(await figuresAfter(id, { duration: 30 }), {
    status: 'COMPLETED',
    ended_at: '2026-03-01T10:00:30.000Z',
    duration: 30,
  });
});

test('a failed call’s figures can be corrected, and it stays failed', async () => {
  const { call_id } = await placeCall(service, '+15005550001');
  assert.equal((await reaches(service, call_id, 'FAILED')).duration, 0);
  const { status, call_status, duration } = await update(call_id, { duration: 3 });
  assert.deepEqual({ status, call_status, duration }, { status: 'FAILED', call_status: 'FAILED', duration: 3 });
});

test('an end before the start is refused and changes nothing', async () => {
  const id = await open();
  const body = { ended_at: '2026-03-01T09:59:59.999Z', metadata: { a: 1 } };
  assert.deepEqual(await refused(id, body), ['body.ended_at datetime_before_start']);
  const { status, session_data } = (await service.request('GET', `/api/sessions/${id}`)).body;
  assert.deepEqual({ status, session_data }, { status: 'ACTIVE', session_data: {} });
  await update(id, { ended_at: START });
  assert.deepEqual(await refused(id, { ended_at: '2026-03-01T09:00:00Z' }), ['body.ended_at datetime_before_start']);
});

const REFUSED: [body: object | string, ...problems: string[]][] = [
  [{ ended_at: '2026-03-01' }, 'body.ended_at datetime_parsing'],
  [{ ended_at: '2026-03-01T10:00:00' }, 'body.ended_at datetime_parsing'],
  [{ ended_at: '2026-02-30T10:00:00Z' }, 'body.ended_at datetime_parsing'],
  [{ ended_at: '2026-03-01T23:59:60Z' }, 'body.ended_at datetime_parsing'],
  [{ ended_at: '' }, 'body.ended_at datetime_parsing'],
  [{ ended_at: 1772359200 }, 'body.ended_at string_type'],
  [{ ended_at: '0000-01-01T00:00:00Z', duration: 1 }, 'body.ended_at datetime_parsing'],
  [{ ended_at: '9999-12-31T23:59:59-23:59', duration: 1 }, 'body.ended_at datetime_parsing'],
  [{ duration: -0.001 }, 'body.duration greater_than_equal'],
  [{ duration: 1e12 }, 'body.duration less_than_equal'],
  [{ duration: '5' }, 'body.duration float_type'],
  ['{"duration":1e999}', 'body.duration float_type'],
  [{ metadata: [] }, 'body.metadata dict_type'],
  [{ metadata: 'x' }, 'body.metadata dict_type'],
  [{ metadata: { a: ['\0'] } }, 'body.metadata.a.0 string_nul'],
  [{ metadata: { text: 'x'.repeat(256 * 1024) } }, 'body.metadata too_long'],
  [{ duration: -1, metadata: 5 }, 'body.duration greater_than_equal', 'body.metadata dict_type'],
];
for (const [body, ...problems] of REFUSED) {
  test(`${JSON.stringify(body).slice(0, 60)} is refused: ${problems.join(', ')}`, async () => {
    const id = await open();
    assert.deepEqual(await refused(id, body), problems);
    assert.equal((await service.request('GET', `/api/sessions/${id}`)).body.status, 'ACTIVE');
  });
}

test('repeated updates cannot grow session_data without limit', async () => {
  const id = await open();
  const filler = 'x'.repeat(250 * 1024);
  for (const key of ['a', 'b', 'c', 'd']) await update(id, { metadata: { [key]: filler } });
  assert.deepEqual(await refused(id, { metadata: { e: filler } }), ['body.metadata too_long']);
  assert.equal((await update(id, { metadata: { a: null, e: filler } })).status, 'ACTIVE');
});

test('ending an answered call completes it and closes its room', async () => {
  const { call_id, room_name } = await answeredCall(service);
  const { status, call_status, duration } = await update(call_id, { duration: 2 });
  assert.deepEqual({ status, call_status, duration }, { status: 'COMPLETED', call_status: 'COMPLETED', duration: 2 });
  await eventually(
    () => service.media.listRooms(),
    (rooms) => !rooms.has(room_name),
  );
  assert.equal((await service.request('GET', `/api/sessions/${call_id}`)).body.duration, 2);
});

test('another user’s session cannot be updated', async () => {
  const id = await open({ user_id: 'owner' });
  const answer = await service.request('PATCH', `/api/sessions/${id}`, { user: USER, body: { duration: 1 } });
  assertRefused(answer, 404, 'not_found');
  assert.equal((await service.request('GET', `/api/sessions/${id}`)).body.status, 'ACTIVE');
});
