import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answeredCall, createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { createBudgets } from '../../src/billing/budgets/budgets.ts';
import type { Db } from '../../src/db/tables.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { assertRefused, problemsOf } from '../support/answers.ts';
import { watchStatements } from '../support/statements.ts';
import { logUsage } from '../support/usage.ts';

const DAY_MS = 86_400_000;
const PHONE = '+15005550100';
const GENEROUS = { CALLS_PER_SECOND: '1000', CALLS_BURST: '1000', CALLS_CONCURRENT: '1000' };

type Asked = Pick<Service, 'request'>;
const put = (of: Asked, body: unknown, user = USER) => of.request('PUT', `/api/budgets/${user}`, { body });
const get = (of: Asked, caller?: string, user = USER) =>
  of.request('GET', `/api/budgets/${user}`, { ...(caller !== undefined && { user: caller }) });
const spend = async (of: Service, total_cost: string, user_id = USER) =>
  assert.equal((await logUsage(of, { user_id, total_cost: `"${total_cost}"` })).status, 201);
const place = (of: Asked, agent_id: string, user = USER) =>
  of.request('POST', '/api/calls/outbound', { user, body: { agent_id, phone_number: PHONE } });

test('a budget is replaced as a whole and shown with the amount spent, to its user and to callers without a user', async () => {
  const service = await startService();
  assertRefused(await get(service), 404, 'not_found');
  const effects = { refuse_calls: true, end_calls: true, count_tests: true };
  const wanted = { monthly_limit: 12.5, thresholds: [100, 50, 50], ...effects };
  const { status, body } = await put(service, wanted);
  assert.equal(status, 200, JSON.stringify(body));
  const month = new Date().toISOString().slice(0, 7);
  const { updated_at, ...shown } = body;
  const estimate = { cost_per_minute: null, expected_minutes: null, reserved: '0' };
  const figures = { user_id: USER, month, spent: '0', reached: [], ...estimate };
  assert.deepEqual(shown, { ...figures, ...wanted, monthly_limit: '12.5', thresholds: [50, 100] });
  await spend(service, '0.100000000000000001');
  assert.equal((await get(service, USER)).body.spent, '0.100000000000000001');
  assertRefused(await get(service, 'other'), 404, 'not_found');
  const again = (await put(service, { monthly_limit: null })).body;
  assert.deepEqual([again.monthly_limit, again.thresholds, again.refuse_calls], [null, [], false]);
  assert.deepEqual([again.end_calls, again.count_tests], [false, false]);
  const { items } = (await service.request('GET', '/api/audit')).body;
  assert.deepEqual(
    items.flatMap(({ action, user_id }: Record<string, string>) => (action === 'budget.changed' ? user_id : [])),
    [USER, USER],
  );
  for (const [bad, problem] of [
    [{}, 'body.monthly_limit missing'],
    [{ monthly_limit: -1 }, 'body.monthly_limit greater_than_equal'],
    [{ monthly_limit: 'much' }, 'body.monthly_limit decimal_parsing'],
    [{ monthly_limit: 1, thresholds: [0] }, 'body.thresholds.0 greater_than_equal'],
    [{ monthly_limit: 1, thresholds: Array.from({ length: 11 }, (_, n) => n + 1) }, 'body.thresholds too_long'],
    [{ monthly_limit: 1, currency: 'EUR' }, 'body.currency extra_forbidden'],
  ] as const)
    assert.deepEqual(problemsOf(await put(service, bad)), [problem]);
});

test('once the limit is reached no call to a phone or a browser is placed, until it is raised or the month ends', async () => {
  const clock = createTestClock();
  clock.set('2026-01-31T12:00:00Z');
  const service = await startService({ clock, env: GENEROUS });
  const agent_id = await createAgent(service);
  const { call_id } = await answeredCall(service, { agent_id });
  await put(service, { monthly_limit: '10', refuse_calls: true });
  await spend(service, '9.999999');
  assert.equal((await place(service, agent_id)).status, 201);
  await spend(service, '0.000001');
  const web = () => service.request('POST', '/api/calls/web', { user: USER, body: { agent_id } });
  for (const refused of [await place(service, agent_id), await web()]) assertRefused(refused, 402, 'budget_exceeded');
  const talk = await service.request('POST', '/api/sessions/', { body: { user_id: USER, agent_id } });
  const token = { user: USER, body: { session_id: talk.body.id } };
  assertRefused(await service.request('POST', '/api/media/token', token), 402, 'budget_exceeded');
  // A call in progress goes on, to another phone too; and another user has no budget.
  const target = { body: { phone_number: '+15005550101', type: 'WARM' } };
  assert.equal((await service.request('POST', `/api/sessions/${call_id}/transfer`, target)).status, 200);
  const other = await createAgent(service, { user_id: 'other' });
  assert.equal((await place(service, other, 'other')).status, 201);
  await put(service, { monthly_limit: '10.5', refuse_calls: true });
  assert.equal((await place(service, agent_id)).status, 201);
  await put(service, { monthly_limit: '10' });
  assert.equal((await place(service, agent_id)).status, 201, 'a budget that refuses nothing');
  await put(service, { monthly_limit: '10', refuse_calls: true });
  assertRefused(await place(service, agent_id), 402, 'budget_exceeded');
  clock.advance(DAY_MS);
  assert.equal((await place(service, agent_id)).status, 201, 'another month');
});

test('placing a call sends a statement more for a budget that refuses calls, and none for others', async () => {
  const database = await openTestDatabase();
  const service = await startService({ database, env: GENEROUS });
  const agent_id = await createAgent(service);
  // The least of some: now and then the service's upkeep is between them.
  async function statementsBefore(budget: object): Promise<number> {
    await put(service, budget);
    const counts: number[] = [];
    for (let times = 0; times < 5; times++) {
      const sent = watchStatements(database);
      const { call_id } = (await place(service, agent_id)).body;
      counts.push(sent.findIndex(({ sql }) => /insert into "?sessions\b/.test(sql)));
      await reaches(service, call_id, 'ANSWERED');
    }
    return Math.min(...counts);
  }
  const without = await statementsBefore({ monthly_limit: null, refuse_calls: true });
  assert.ok(without > 0);
  assert.equal(await statementsBefore({ monthly_limit: '10', refuse_calls: false }), without);
  assert.equal(await statementsBefore({ monthly_limit: '10', refuse_calls: true }), without + 1);
  assert.equal(await statementsBefore({ monthly_limit: '10', refuse_calls: true, count_tests: true }), without + 1);
  await service.close();
  await database.close();
});

test('a burst over two replicas exceeds the limit by no more than the calls in progress', async () => {
  const database = await openTestDatabase();
  const replicas = [
    await startService({ database, env: GENEROUS }),
    await startService({ database, env: GENEROUS }),
  ] as const;
  const agent_id = await createAgent(replicas[0]);
  await put(replicas[0], { monthly_limit: '5', refuse_calls: true });
  // Each caller spends 1 for its call as soon as that was placed, and stops when it is refused.
  let placed = 0;
  await Promise.all(
    Array.from({ length: 16 }, async (_, caller) => {
      const replica = replicas[caller % 2] as Service;
      for (let n = 0; n < 4; n++) {
        const answer = await place(replica, agent_id);
        if (answer.status === 402) return;
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        placed += 1;
        await spend(replica, '1');
      }
    }),
  );
  assert.ok(placed >= 5 && placed <= 5 + 16, `${placed} calls of 1 each, of a limit of 5`);
  assertRefused(await place(replicas[0], agent_id), 402, 'budget_exceeded');
  for (const replica of replicas) await replica.close();
  await database.close();
});

test('each threshold is reported once a month, by two replicas at once, and after a process that stopped halfway', async () => {
  const receiver = await startReceiver();
  const clock = createTestClock();
  clock.set('2026-01-30T12:00:00Z');
  const database = await openTestDatabase();
  const replicas = [await startService({ database, clock }), await startService({ database, clock })] as const;
  const [service] = replicas;
  const endpoint = { user: USER, body: { url: `${receiver.url}/budget`, events: ['budget.threshold'] } };
  assert.equal((await service.request('POST', '/api/webhook-endpoints', endpoint)).status, 201);
  await put(service, { monthly_limit: '100', thresholds: [50, 80, 100] });
  await put(service, { monthly_limit: '1', thresholds: [100] }, 'nobody listens');
  const crossed = () => receiver.at('/budget').map(({ body }) => JSON.parse(body));
  const rounds = () => Promise.all(replicas.flatMap(({ app }) => [app.reconcile(), app.reconcile()]));
  const until = (count: number) =>
    eventually(
      async () => crossed().length,
      (length) => length >= count,
    );
  await spend(service, '49.99');
  await rounds();
  await spend(service, '0.01');
  await rounds();
  await until(1);
  // A process that is killed between the record of a threshold and its event has written neither.
  const refusal = sql`alter table callbacks add constraint none check (type <> 'budget.threshold') not valid`;
  await refusal.execute(database.db);
  await spend(service, '70');
  await spend(service, '1', 'nobody listens');
  const failing = await startService({ database, clock });
  await failing.app.reconcile();
  assert.deepEqual((await get(service)).body.reached, [50]);
  await sql`alter table callbacks drop constraint none`.execute(database.db);
  await rounds();
  await rounds();
  await until(3);
  assert.deepEqual(
    crossed()
      .map(({ data }) => [data.threshold, data.month, data.monthly_limit])
      .sort((one, other) => one[0] - other[0]),
    [50, 80, 100].map((threshold) => [threshold, '2026-01', '100']),
  );
  assert.equal(crossed().find(({ data }) => data.threshold === 50)?.data.spent, '50');
  assert.deepEqual((await get(service)).body.reached, [50, 80, 100]);
  assert.deepEqual((await get(service, undefined, 'nobody%20listens')).body.reached, [100]);
  const { items } = (await service.request('GET', '/api/callbacks', { user: USER })).body;
  assert.deepEqual(
    items.map(({ call_id, type }: Record<string, string | null>) => [call_id, type]),
    Array.from({ length: 3 }, () => [null, 'budget.threshold']),
  );
  clock.advance(3 * DAY_MS);
  await spend(service, '60');
  await rounds();
  await until(4);
  assert.deepEqual([crossed()[3].data.month, crossed()[3].data.threshold], ['2026-02', 50]);
  for (const replica of [...replicas, failing]) await replica.close();
  await receiver.close();
  await database.close();
});

test('no threshold is reported and no call ended when the limit is raised in the moment in which it was found to be reached', async () => {
  const service = await startService();
  const { db } = service.database;
  await put(service, { monthly_limit: '10', thresholds: [50], end_calls: true });
  await spend(service, '11');
  const reported: string[] = [];
  const raise = () => put(service, { monthly_limit: '100', thresholds: [50], end_calls: true });
  const between = {
    transaction: () => ({
      execute: async (work: (trx: Db) => Promise<unknown>) => {
        await raise();
        return db.transaction().execute(work);
      },
    }),
  };
  const raced = new Proxy(db, {
    get: (target, name) => {
      const value = name === 'transaction' ? between.transaction : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const callbacks = { enqueueForUser: async (_trx: Db, type: string) => reported.push(type) };
  const sessions = {
    listCalls: async () => {
      reported.push('calls are ended');
      return { items: [], next_cursor: null };
    },
  };
  const deps = { db: raced, clock: systemClock, callbacks, sessions } as unknown as Parameters<typeof createBudgets>[0];
  await createBudgets(deps).round();
  assert.deepEqual([reported, (await get(service)).body.reached], [[], []]);
  await spend(service, '60');
  await createBudgets({ ...deps, db }).round();
  assert.deepEqual([reported, (await get(service)).body.reached], [['budget.threshold'], [50]]);
});

test('a threshold counts for the month in which it was reached, although the next one begins before it is reported', async () => {
  const database = await openTestDatabase();
  const sent = watchStatements(database);
  const [january, february] = ['2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z'];
  let isFebruaryNear = false;
  const isRead = () => isFebruaryNear && sent.some(({ sql }) => sql.includes('cardinality(due)'));
  const clock = { ...createTestClock(), now: () => new Date(isRead() ? february : january) };
  const service = await startService({ database, clock });
  await put(service, { monthly_limit: '1', thresholds: [100] });
  await spend(service, '1');
  sent.length = 0;
  isFebruaryNear = true;
  await service.app.reconcile();
  const { month, spent, reached } = (await get(service)).body;
  assert.deepEqual([month, spent, reached], ['2026-02', '0', []]);
  const recorded = await sql`select to_char(month, 'YYYY-MM') as month from budget_thresholds`.execute(database.db);
  assert.deepEqual(recorded.rows, [{ month: '2026-01' }]);
  await service.close();
  await database.close();
});

test('end_calls ends open calls once the limit is reached, those of other users and conversations go on', async () => {
  const service = await startService({ env: GENEROUS });
  const agent_id = await createAgent(service);
  const { call_id } = await answeredCall(service, { agent_id });
  const other = await createAgent(service, { user_id: 'other' });
  const kept = (await place(service, other, 'other')).body.call_id;
  const talk = (await service.request('POST', '/api/sessions/', { body: { user_id: USER } })).body;
  await put(service, { monthly_limit: '1', end_calls: true });
  await service.app.reconcile();
  assert.equal((await service.request('GET', `/api/calls/${call_id}`)).body.call_status, 'ANSWERED');
  await spend(service, '1');
  await service.app.reconcile();
  const ended = await reaches(service, call_id, 'COMPLETED');
  assert.equal(ended.end_reason, 'budget_exceeded');
  assert.equal((await reaches(service, kept, 'ANSWERED')).end_reason, null);
  assert.equal((await service.request('GET', `/api/sessions/${talk.id}`)).body.status, 'ACTIVE');
});

test('an erasure takes the budget of a user, its thresholds and their callbacks', async () => {
  const service = await startService();
  await service.request('POST', '/api/webhook-endpoints', { user: 'eve', body: { url: 'http://127.0.0.1:1/' } });
  await put(service, { monthly_limit: '1', thresholds: [10] }, 'eve');
  await put(service, { monthly_limit: '1', thresholds: [10] }, 'other');
  await spend(service, '1', 'eve');
  await service.app.reconcile();
  const { db } = service.database;
  const left = async () => [
    (await db.selectFrom('budgets').select('user_id').execute()).map(({ user_id }) => user_id).sort(),
    (await db.selectFrom('budget_thresholds').select('user_id').execute()).length,
    (await db.selectFrom('callbacks').select('id').execute()).length,
  ];
  assert.deepEqual(await left(), [['eve', 'other'], 1, 1]);
  assert.equal((await service.request('DELETE', '/api/users/eve')).status, 200);
  assert.deepEqual(await left(), [['other'], 0, 0]);
});
