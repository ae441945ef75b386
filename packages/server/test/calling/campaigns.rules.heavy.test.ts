import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { countingMedia, LIMITS, outreach } from '../support/campaigns.ts';

const HOUR_MS = 3_600_000;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const person = (n: number) => `+1500555${1000 + n}`;
const people = (count: number) => Array.from({ length: count }, (_, n) => ({ phone_number: person(n) }));

/** A service at night, in which time only passes when it is told to. */
async function atNight(env: Record<string, string> = {}, at = '2027-01-12T03:00:00.000Z') {
  const clock = createTestClock(at);
  const { media, dialled, numbers } = countingMedia();
  const service = await startService({ clock, media, env: { ...LIMITS, ...env } });
  const on = await outreach(service);
  /** Lets time pass in small steps, until the campaign is as wanted. */
  const until = async (
    id: string,
    is: (campaign: Awaited<ReturnType<typeof on.becomes>>) => boolean | Promise<boolean>,
    stepMs = 1_000,
  ) => {
    for (let turns = 0; turns < 200; turns++) {
      await service.app.reconcile();
      const campaign = await on.get(id);
      if (await is(campaign)) return campaign;
      clock.advance(stepMs);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail(`${JSON.stringify(await on.get(id))} ${service.logged().filter((line) => /"level":[4-9]/.test(line))}`);
  };
  const rule = (fields: object, name = 'hours') => on.ok('PUT', `/api/dial-policies/${name}`, fields);
  return { service, clock, dialled, numbers, ...on, until, rule };
}

test('a recipient is deferred until its hours, suppressed ones are not called, nor are those without consent', async () => {
  const { service, clock, numbers, send, ok, create, add, act, recipients, until, rule } = await atNight();
  await rule({
    windows: [{ days: DAYS, from: '09:00', to: '17:00' }],
    requires_consent: [{ purpose: 'marketing', country: 'FR' }],
  });
  const id = await create({ policy: 'hours' });
  const zone = { time_zone: 'UTC' };
  const list = [
    { phone_number: person(1), ...zone },
    { phone_number: person(2), ...zone },
    { phone_number: person(3), ...zone },
    { phone_number: person(4), region: 'FR' },
    { phone_number: person(5), ...zone },
  ];
  await add(id, list);
  await ok('POST', '/api/suppressions', {
    entries: [
      { phone_number: person(2) },
      { phone_number: person(3), scope: 'campaign', scope_id: id },
      { phone_number: person(5), scope: 'campaign', scope_id: '01980000-0000-7000-8000-000000000000' },
    ],
  });
  const preview = await ok('POST', `/api/campaigns/${id}/preview`);
  assert.deepEqual([preview.waiting, preview.decided, preview.now, preview.refused], [5, 5, 0, 3]);
  assert.deepEqual(preview.hours, [{ from: '2027-01-12T09:00:00.000Z', recipients: 2 }]);
  assert.deepEqual(
    preview.refusals.map(({ rule: by }: { rule: string }) => by),
    ['suppression', 'suppression', 'consent'],
  );
  assert.equal((await ok('GET', '/api/dial-decisions')).items.length, 0, 'a preview records nothing');
  await act(id, 'start');
  const asleep = await until(id, ({ blocked }) => blocked?.reason === 'window');
  assert.equal(asleep.blocked?.until, '2027-01-12T09:00:00.000Z');
  const [first, second, third, fourth] = await recipients(id);
  assert.deepEqual([first.state, first.next_at, first.attempts], ['deferred', '2027-01-12T09:00:00.000Z', []]);
  assert.deepEqual(
    [second, third, fourth].map(({ state, reason }) => [state, reason]),
    [
      ['suppressed', 'suppression'],
      ['suppressed', 'suppression'],
      ['refused', 'consent'],
    ],
  );
  const decisions = (await ok('GET', `/api/dial-decisions?phone_number=${encodeURIComponent(person(1))}`)).items;
  assert.deepEqual([decisions[0].id, decisions[0].outcome], [first.decision_id, 'defer']);
  assert.deepEqual(numbers(), []);
  clock.advance(6 * HOUR_MS);
  const done = await until(id, ({ state }) => state === 'completed');
  assert.deepEqual([done.recipients.reached, done.recipients.suppressed, done.recipients.refused], [2, 2, 1]);
  assert.deepEqual(numbers().sort(), [person(1), person(5)]);
  const [called] = await recipients(id);
  const call = await ok('GET', `/api/calls/${called.attempts[0].call_id}`);
  assert.equal(call.dial_decisions[0].id, called.attempts[0].decision_id);
  assert.equal((await send('POST', `/api/campaigns/${id}/resume`)).status, 409);
  await service.close();
});

test('a campaign says why it dials nobody, and goes on once that is remedied', async () => {
  const { service, agent_id, numbers, ok, create, add, act, until, rule } = await atNight();
  const id = await create({ policy: 'mine' });
  await add(id, people(1));
  await act(id, 'start');
  await until(id, ({ blocked }) => blocked?.reason === 'policy');
  await rule({ max_attempts: [{ count: 9, days: 1 }] }, 'mine');
  await ok('PATCH', `/api/agents/${agent_id}`, { is_active: false });
  await until(id, ({ blocked }) => blocked?.reason === 'agent');
  assert.deepEqual(numbers(), []);
  await ok('PATCH', `/api/agents/${agent_id}`, { is_active: true });
  await until(id, ({ state }) => state === 'completed');
  assert.deepEqual(numbers(), [person(0)]);
  await service.close();
});

test('campaigns leave a share of the calls to others, keep to their pace, and the circuit opens when calls fail', async () => {
  const { service, clock, dialled, create, add, act, until, get } = await atNight({ CALLS_CONCURRENT: '4' });
  const { db } = service.database;
  const busy = ['+15005550004', '+15005550004', '+15005550004'];
  const failing = busy.map((phone_number, n) => ({ phone_number, external_id: `c-${n}` }));
  const circuit = { failure_rate: 0.5, window_s: 600, min_calls: 3 };
  const broken = await create({ circuit, pacing: { max_concurrent: 1, per_minute: 60_000, reserve_for_others: 0 } });
  await add(broken, [...failing, ...people(2)]);
  await act(broken, 'start');
  await until(broken, ({ blocked }) => blocked?.reason === 'circuit');
  assert.equal(dialled.length, 3);
  clock.advance(600_000);
  await until(broken, ({ state }) => state === 'completed');
  assert.equal(dialled.length, 5);
  const open = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from sessions where status in ('CREATED', 'ACTIVE')`.execute(db);
    return rows[0]?.count ?? 0;
  };
  const slow = await create({ pacing: { max_concurrent: 100, per_minute: 60, reserve_for_others: 0.5 } });
  await add(slow, people(8));
  const begun = clock.now().getTime();
  await act(slow, 'start');
  let most = 0;
  await until(slow, ({ state }) => {
    void open().then((count) => {
      most = Math.max(most, count);
    });
    return state === 'completed';
  });
  assert.ok(most <= 2, `${most} calls at the same time`);
  assert.ok(clock.now().getTime() - begun >= 6_000, 'eight calls at one a second');
  assert.equal((await get(slow)).recipients.reached, 8);
  await service.close();
});

test('campaigns leave a share of the day to other calls, and go on when it is over', async () => {
  const { service, clock, dialled, agent_id, send, create, add, act, until } = await atNight({ CALLS_PER_DAY: '1' });
  const id = await create({ pacing: { max_concurrent: 100, per_minute: 60_000, reserve_for_others: 0.4 } });
  await add(id, people(8));
  await act(id, 'start');
  // Ten a day: the sandbox allows ten times as much.
  const { blocked } = await until(id, (campaign) => campaign.blocked?.reason === 'capacity');
  assert.equal(blocked?.until, '2027-01-13T00:00:00.000Z');
  assert.equal(dialled.length, 6);
  const call = async (n: number) =>
    (await send('POST', '/api/calls/outbound', { agent_id, phone_number: person(100 + n) })).status;
  assert.deepEqual([await call(0), await call(1), await call(2), await call(3)], [201, 201, 201, 201]);
  assert.equal(await call(4), 429);
  clock.advance(Date.parse('2027-01-13T00:00:00.000Z') - clock.now().getTime());
  await until(id, ({ state }) => state === 'completed');
  assert.equal(dialled.length, 12);
  await service.close();
});

test('the budget of a campaign ends it, by what its calls have cost', async () => {
  // Costs are found by their ids, which have the real time.
  const now = new Date().toISOString();
  const { service, ok, send, create, add, act, until, dialled, recipients } = await atNight({}, now);
  const id = await create({ budget: '2.5', pacing: { per_minute: 1 } });
  await add(id, people(6));
  await act(id, 'start');
  // Each call costs one, which is reported late.
  const charged = new Set<string>();
  const charge = async () => {
    for (const { attempts } of await recipients(id))
      for (const { call_id } of attempts) {
        if (charged.has(call_id)) continue;
        charged.add(call_id);
        const event = { session_id: call_id, user_id: USER, provider: 'p', event_type: 'llm_tokens' };
        await ok('POST', '/api/usage/events', { ...event, quantity: 1, unit_cost: 1, total_cost: 1 });
      }
  };
  const isSpent = async ({ blocked }: { blocked: { reason: string } | null }) => {
    await charge();
    return blocked?.reason === 'budget';
  };
  const blocked = await until(id, isSpent, 10_000);
  assert.ok(Number(blocked.spent) >= 2.5 && dialled.length < 6, `${blocked.spent}, ${dialled.length} calls`);
  assert.equal((await send('GET', `/api/campaigns/${id}/stats`)).body.spent, blocked.spent);
  await ok('PATCH', `/api/campaigns/${id}`, { budget: '100', pacing: { per_minute: 600 } });
  const done = await until(id, ({ state }) => state === 'completed');
  assert.deepEqual([done.recipients.reached, dialled.length], [6, 6]);
  await service.close();
});

test('whoever waits when a campaign expires, or is canceled, is not called any more', async () => {
  const { service, clock, ok, create, add, act, until, dialled, rule, get } = await atNight();
  const receiver = await startReceiver();
  await ok('POST', '/api/webhook-endpoints', { url: receiver.url, events: ['recipient.finished'] });
  await rule({ is_default: true, windows: [{ days: DAYS, from: '09:00', to: '17:00' }] });
  const expires_at = new Date(clock.now().getTime() + HOUR_MS).toISOString();
  const id = await create({ expires_at });
  const zone = { time_zone: 'UTC' };
  await add(
    id,
    people(3).map((one) => ({ ...one, ...zone })),
  );
  const preview = await ok('POST', `/api/campaigns/${id}/preview`);
  assert.deepEqual([preview.decided, preview.hours, preview.refused], [3, [], 3]);
  const detail = `The campaign ends at ${expires_at}, before the number may be called.`;
  assert.deepEqual([preview.refusals[0].rule, preview.refusals[0].detail], ['expires_at', detail]);
  await act(id, 'start');
  await until(id, ({ blocked }) => blocked?.reason === 'window');
  clock.advance(7 * HOUR_MS);
  const done = await until(id, ({ state }) => state === 'completed');
  assert.equal(done.recipients.expired, 3);
  const other = await create();
  await add(
    other,
    people(3).map((one) => ({ ...one, ...zone })),
  );
  await act(other, 'cancel');
  const canceled = await until(other, ({ recipients }) => recipients.canceled === 3);
  assert.equal(canceled.state, 'canceled');
  assert.equal(dialled.length, 0);
  assert.equal((await get(id)).recipients.total, 3);
  const queued = await service.database.db.selectFrom('callbacks').select('payload').orderBy('id').execute();
  const told = queued.map(({ payload }) => JSON.parse(payload).data);
  const all = (of: string, state: string) =>
    people(3).map(({ phone_number }) => [of, phone_number, state, state, 0].join(' '));
  assert.deepEqual(
    told.map((one) => [one.campaign_id, one.phone_number, one.state, one.reason, one.attempts].join(' ')).sort(),
    [...all(id, 'expired'), ...all(other, 'canceled')].sort(),
  );
  await receiver.close();
  await service.close();
});

test('events tell of a campaign and of each recipient, and an erasure leaves nothing of either', async () => {
  const { service, ok, create, add, act, until } = await atNight();
  const receiver = await startReceiver();
  await ok('POST', '/api/webhook-endpoints', { url: receiver.url });
  const id = await create();
  await add(id, [{ ...people(1)[0], external_id: 'c-1', variables: { name: 'Ada' } }]);
  await act(id, 'start');
  await until(id, ({ state }) => state === 'completed');
  const { db } = service.database;
  const queued = await db.selectFrom('callbacks').select(['type', 'payload']).orderBy('id').execute();
  const about = queued
    .filter(({ type }) => /^(campaign|recipient)\./.test(type))
    .map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }));
  assert.deepEqual(
    about.map(({ type }) => type),
    ['campaign.started', 'recipient.finished', 'campaign.completed'],
  );
  assert.deepEqual([about[1]?.data.external_id, about[1]?.data.state, about[1]?.data.attempts], ['c-1', 'reached', 1]);
  assert.equal(about[2]?.data.recipients.reached, 1);
  await receiver.close();
  await create();
  assert.equal((await service.request('DELETE', `/api/users/${USER}`)).status, 200);
  for (const table of ['campaigns', 'campaign_recipients', 'campaign_attempts', 'campaign_counts'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  await service.close();
});

test('ended campaigns are deleted when they are as old as the audit log is kept', async () => {
  const { service, clock, create, add, act, until, get, send } = await atNight({ AUDIT_RETENTION_DAYS: '10' });
  const [id, open] = [await create(), await create()];
  await add(id, people(3));
  await act(id, 'start');
  await until(id, ({ state }) => state === 'completed');
  clock.advance(9 * 24 * HOUR_MS);
  await service.app.reconcile();
  assert.equal((await get(id)).state, 'completed');
  clock.advance(2 * 24 * HOUR_MS);
  await service.app.reconcile();
  assert.equal((await send('GET', `/api/campaigns/${id}`)).status, 404);
  assert.equal((await get(open)).state, 'draft');
  await service.close();
});
