import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { allPages, problemsOf } from '../support/answers.ts';

const clock = createTestClock('2026-03-01T10:00:00.000Z');
const service = await startService({ clock });
const agent_id = await createAgent(service);

async function open(fields: object = {}): Promise<string> {
  const answer = await service.request('POST', '/api/sessions/', { body: { user_id: USER, ...fields } });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

const plain: string[] = [];
for (const day of ['01', '02', '03']) {
  clock.set(`2026-03-${day}T10:00:00.000Z`);
  plain.push(await open(day === '02' ? { agent_id } : {}));
}
await service.request('PATCH', `/api/sessions/${plain[0]}`, { body: { duration: 5 } });
clock.set('2026-03-04T10:00:00.000Z');
const { call_id } = await placeCall(service, '+15005550001', { agent_id });
await reaches(service, call_id, 'FAILED');
const foreign = await open({ user_id: 'owner' });
const [first, second, third] = plain as [string, string, string];

async function ids(query: string, user: string | undefined = USER): Promise<string[]> {
  const { status, body } = await service.request('GET', `/api/sessions/?${query}`, { user });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ id }: { id: string }) => id);
}

test('a named user sees its own sessions, newest first', async () => {
  assert.deepEqual(await ids(''), [call_id, third, second, first]);
  assert.deepEqual(await ids('', 'owner'), [foreign]);
  assert.deepEqual(await ids('', 'nobody'), []);
});

test('without a user the list has everybody’s sessions', async () => {
  const { body } = await service.request('GET', '/api/sessions/');
  assert.deepEqual(body.items[0].id, foreign);
  assert.equal(body.items.length, 5);
});

test('an item of the list is the whole session', async () => {
  const { items } = (await service.request('GET', '/api/sessions/', { user: USER })).body;
  for (const item of items) assert.deepEqual((await service.request('GET', `/api/sessions/${item.id}`)).body, item);
});

test('the list can be filtered by status, direction, agent and time of creation', async () => {
  assert.deepEqual(await ids('status=ACTIVE'), [third, second]);
  assert.deepEqual(await ids('status=COMPLETED'), [first]);
  assert.deepEqual(await ids('status=FAILED'), [call_id]);
  assert.deepEqual(await ids('call_direction=OUTBOUND'), [call_id]);
  assert.deepEqual(await ids('call_direction=INBOUND'), []);
  assert.deepEqual(await ids(`agent_id=${agent_id}`), [call_id, second]);
  assert.deepEqual(await ids('from=2026-03-02T10:00:00Z&to=2026-03-03T10:00:00Z'), [second]);
  assert.deepEqual(await ids(`from=${encodeURIComponent('2026-03-02T12:00:00+02:00')}`), [call_id, third, second]);
  assert.deepEqual(await ids(`agent_id=${agent_id}&status=ACTIVE`), [second]);
  assert.deepEqual(await ids(`agent_id=${agent_id}&status=COMPLETED`), []);
});

test('filtering by an unknown or malformed agent gives an empty list', async () => {
  assert.deepEqual(await ids('agent_id=01980000-0000-7000-8000-000000000000'), []);
  assert.deepEqual(await ids('agent_id=no-id'), []);
});

test('the pages together are the whole list, whatever their size', async () => {
  for (const limit of [1, 2, 3, 4, 100]) {
    const items = await allPages(service, '/api/sessions/', limit, { user: USER });
    assert.deepEqual(
      items.map(({ id }) => id),
      [call_id, third, second, first],
    );
  }
  const filtered = await allPages(service, `/api/sessions/?agent_id=${agent_id}`, 1, { user: USER });
  assert.deepEqual(
    filtered.map(({ id }) => id),
    [call_id, second],
  );
});

test('a session added while paging neither repeats nor hides another', async () => {
  const user_id = 'pages';
  const older = [await open({ user_id }), await open({ user_id })].reverse();
  const page = (await service.request('GET', '/api/sessions/?limit=1', { user: user_id })).body;
  await open({ user_id });
  const next = (await service.request('GET', `/api/sessions/?limit=1&cursor=${page.next_cursor}`, { user: user_id }))
    .body;
  assert.deepEqual([page.items[0].id, next.items[0].id, next.next_cursor], [...older, null]);
});

const REFUSED: [query: string, ...problems: string[]][] = [
  ['limit=0', 'query.limit greater_than_equal'],
  ['limit=-1', 'query.limit greater_than_equal'],
  ['limit=101', 'query.limit less_than_equal'],
  ['limit=ten', 'query.limit int_type'],
  ['limit=1.5', 'query.limit int_type'],
  ['limit=true', 'query.limit int_type'],
  ['limit=1&limit=2', 'query.limit int_type'],
  ['cursor=', 'query.cursor value_error'],
  ['cursor=nonsense', 'query.cursor value_error'],
  [`cursor=${Buffer.from('x').toString('base64url')}`, 'query.cursor value_error'],
  ['status=active', 'query.status enum'],
  ['call_direction=SIDEWAYS', 'query.call_direction enum'],
  ['from=2026-03-01', 'query.from datetime_parsing'],
  ['from=2026-03-01T10:00:00', 'query.from datetime_parsing'],
  ['to=2026-02-30T10:00:00Z', 'query.to datetime_parsing'],
  ['to=0000-01-01T00:00:00Z', 'query.to datetime_parsing'],
  ['colour=blue', 'query.colour extra_forbidden'],
  [
    'limit=0&status=x&colour=blue',
    'query.colour extra_forbidden',
    'query.limit greater_than_equal',
    'query.status enum',
  ],
];
test('an empty limit is refused', async () => {
  assert.equal(problemsOf(await service.request('GET', '/api/sessions/?limit=', { user: USER })).length, 1);
});

for (const [query, ...problems] of REFUSED) {
  test(`?${query} is refused: ${problems.join(', ')}`, async () => {
    assert.deepEqual(problemsOf(await service.request('GET', `/api/sessions/?${query}`, { user: USER })), problems);
  });
}
