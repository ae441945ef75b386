import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';

// A tenth of what holds: the sandbox allows ten times as much.
const env = { CALLS_CONCURRENT: '1', CALLS_PER_SECOND: '1', CALLS_BURST: '2', CALLS_PER_DAY: '3' };

/**
 * The same until the service takes it up: on a busy machine requests that wait too long for the database are refused
 * with 503. By its key, because a call may have been placed whose answer was not read any more.
 */
async function callUntilServed(service: Pick<Service, 'request'>, agent_id: string, user: string, number: string) {
  const key = randomUUID();
  for (;;) {
    const answer = await call(service, agent_id, user, number, { 'idempotency-key': key });
    if (answer.status !== 503) return answer;
    await systemClock.sleep(100);
  }
}

function call(
  service: Pick<Service, 'request'>,
  agent_id: string,
  user = USER,
  phone_number = '+15005550001',
  headers: Record<string, string> = {},
) {
  return service.request('POST', '/api/calls/outbound', { user, headers, body: { agent_id, phone_number } });
}

test('1,000 concurrent requests over two replicas never exceed the limit on concurrent calls', async () => {
  const database = await openTestDatabase();
  const generous = { CALLS_CONCURRENT: '2', CALLS_BURST: '1000', CALLS_PER_DAY: '10000' };
  const replicas = [await startService({ database, env: generous }), await startService({ database, env: generous })];
  const [first] = replicas;
  assert.ok(first);
  const agent_id = await createAgent(first);
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) =>
      callUntilServed(replicas[index % 2] ?? first, agent_id, USER, '+15005550100'),
    ),
  );
  const statuses = Map.groupBy(answers, ({ status }) => status);
  assert.equal(statuses.get(201)?.length, 20);
  assert.equal(statuses.get(429)?.length, 980);
  for (const answer of statuses.get(429) ?? []) {
    assert.equal(answer.body.code, 'too_many_calls');
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  }
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('a burst is allowed, then the rate per second, and waiting for Retry-After is enough', async () => {
  const clock = createTestClock('2026-03-01T12:00:00.000Z');
  const service = await startService({ env: { ...env, CALLS_CONCURRENT: '1000', CALLS_PER_DAY: '1000' }, clock });
  const agent_id = await createAgent(service);
  const many = async (count: number) => {
    const answers = [];
    for (let index = 0; index < count; index++) answers.push(await call(service, agent_id));
    return answers;
  };
  const first = await many(22);
  assert.equal(first.filter(({ status }) => status === 201).length, 20);
  const wait = Number(first.at(-1)?.headers.get('retry-after'));
  clock.advance(wait * 1000);
  assert.equal((await many(1))[0]?.status, 201);
  clock.advance(500);
  assert.equal(
    (await many(20)).filter(({ status }) => status === 201).length,
    14,
    'nine were left of that second, five have come',
  );
});

test('the daily limit on calls resets at midnight UTC', async () => {
  const clock = createTestClock('2026-03-01T23:00:00.000Z');
  const service = await startService({ env: { ...env, CALLS_CONCURRENT: '1000', CALLS_BURST: '1000' }, clock });
  const agent_id = await createAgent(service);
  for (let index = 0; index < 30; index++) assert.equal((await call(service, agent_id)).status, 201);
  const refused = await call(service, agent_id);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '3600']);
  clock.advance(3_600_000);
  assert.equal((await call(service, agent_id)).status, 201);
});

test('replicas with different clocks exceed neither the limit per second nor, at midnight, the daily limit', async () => {
  const database = await openTestDatabase();
  const start = (time: string, limits: Record<string, string>) =>
    startService({ database, clock: createTestClock(time), env: { ...env, CALLS_CONCURRENT: '1000', ...limits } });
  const times = ['2026-03-01T23:59:59.000Z', '2026-03-02T00:00:01.000Z'];
  // The bucket is filled once by the clock that is ahead, and no more; the day that it has begun goes on.
  for (const [limits, allowed] of [
    [{ CALLS_PER_DAY: '1000' }, 40],
    [{ CALLS_BURST: '1000' }, 31],
  ] as const) {
    const replicas = await Promise.all(times.map((time) => start(time, limits)));
    const user = `user-${allowed}`;
    const agent_id = await createAgent(replicas[0] as Service, { user_id: user });
    let placed = 0;
    for (let index = 0; index < 80; index++)
      if ((await call(replicas[index % 2] as Service, agent_id, user)).status === 201) placed++;
    assert.ok(placed <= allowed, `${placed} calls of ${allowed}`);
    for (const replica of replicas) await replica.close();
  }
  await database.close();
});

test('a row dated far ahead by a wrong clock does not block calls until then', async () => {
  const clock = createTestClock('2028-03-01T12:00:00.000Z');
  const service = await startService({ clock, env: { ...env, CALLS_CONCURRENT: '1000' } });
  const agent_id = await createAgent(service);
  for (let index = 0; index < 20; index++) assert.equal((await call(service, agent_id)).status, 201);
  assert.equal((await call(service, agent_id)).status, 429);
  clock.set('2026-03-01T12:00:00.000Z');
  assert.equal((await call(service, agent_id)).status, 429, 'the bucket is as empty as it was');
  clock.advance(2_000);
  assert.equal((await call(service, agent_id)).status, 201);
});

test('ended calls no longer count, and users are counted separately', async () => {
  const limited = await startService({ env: { ...env, CALLS_BURST: '1000', CALLS_PER_DAY: '1000' } });
  const agent_id = await createAgent(limited);
  const placed = [];
  for (let index = 0; index < 10; index++)
    placed.push((await call(limited, agent_id, USER, '+15005550100')).body.call_id);
  assert.equal((await call(limited, agent_id, USER, '+15005550100')).status, 429);
  const other = await createAgent(limited, { user_id: 'other' });
  assert.equal((await call(limited, other, 'other')).status, 201);
  await limited.request('POST', `/api/calls/${placed[0]}/end`);
  await reaches(limited, placed[0], 'COMPLETED');
  assert.equal((await call(limited, agent_id, USER, '+15005550100')).status, 201);
});

test('CALLING_ENABLED=false stops all dialing at once, including transfers', async () => {
  const stopped = await startService({ env: { CALLING_ENABLED: 'false' } });
  const { status, body } = await call(stopped, await createAgent(stopped));
  assert.deepEqual([status, body.code], [403, 'calling_disabled']);
});
