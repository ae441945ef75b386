import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { decimal, scaled, sum } from '@switchboard/testkit/decimals.ts';
import { startService } from '@switchboard/testkit/service.ts';
import fc from 'fast-check';
import { assertRefused, problemsOf, rawAnswer } from '../support/answers.ts';
import { logUsage, type UsageFields } from '../support/usage.ts';

const clock = createTestClock('2026-03-15T12:00:00.000Z');
const service = await startService({ clock });

async function log(fields: UsageFields): Promise<void> {
  const answer = await logUsage(service, fields);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
}

async function report(name: string, user: string) {
  const { status, body } = await service.request('GET', `/api/costs/${name}`, { user });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const quoted = (amount: string) => JSON.stringify(amount);
const scaledAll = (costs: Record<string, string>) =>
  Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, scaled(cost)]));

for (const name of ['summary', 'by-agent', 'timeline']) {
  test(`the ${name} report without a user is a 401`, async () => {
    assertRefused(await service.request('GET', `/api/costs/${name}`), 401, 'user_required');
  });
}

test('a user without events has zero costs', async () => {
  assert.deepEqual(await report('summary', 'nobody'), { total_cost: '0', this_month_cost: '0', by_provider: {} });
  assert.deepEqual(await report('by-agent', 'nobody'), []);
  assert.deepEqual(await report('timeline', 'nobody'), []);
});

test('sums are exact to the last digit in every report', async () => {
  const event = fc.record({
    total_cost: decimal,
    provider: fc.constantFrom('openai', 'deepgram', 'elevenlabs'),
    agent_id: fc.constantFrom('agent-1', 'agent-2'),
    day: fc.constantFrom('01', '14', '15'),
  });
  const runs = fc.sample(fc.array(event, { minLength: 1, maxLength: 40 }), { numRuns: 6, seed: 20_260_315 });
  for (const [run, events] of runs.entries()) {
    const user_id = `exact-${run}`;
    for (const { day, total_cost, ...rest } of events) {
      clock.set(`2026-03-${day}T12:00:00.000Z`);
      await log({ ...rest, user_id, session_id: `session of ${user_id}`, total_cost: quoted(total_cost) });
    }
    const sums = (key: 'provider' | 'agent_id' | 'day') =>
      Object.fromEntries(
        Array.from(
          Map.groupBy(events, (one) => one[key]),
          ([name, group]) => [name, sum(group.map((one) => one.total_cost))],
        ),
      );
    const total = sum(events.map((one) => one.total_cost));
    const summary = await report('summary', user_id);
    assert.deepEqual([scaled(summary.total_cost), scaled(summary.this_month_cost)], [total, total]);
    assert.deepEqual(scaledAll(summary.by_provider), sums('provider'));
    const agents: { agent_id: string; total_cost: string }[] = await report('by-agent', user_id);
    assert.deepEqual(Object.fromEntries(agents.map((one) => [one.agent_id, scaled(one.total_cost)])), sums('agent_id'));
    const days: { date: string; total_cost: string; by_provider: Record<string, string> }[] = await report(
      'timeline',
      user_id,
    );
    assert.deepEqual(Object.fromEntries(days.map((one) => [one.date.slice(-2), scaled(one.total_cost)])), sums('day'));
    for (const day of days) assert.equal(sum(Object.values(day.by_provider)), scaled(day.total_cost));
  }
});

test('many small amounts do not drift', async () => {
  for (let index = 0; index < 30; index++) await log({ user_id: 'drift', total_cost: '0.1' });
  assert.equal((await report('summary', 'drift')).total_cost, '3');
});

test('credits are subtracted', async () => {
  await log({ user_id: 'credit', total_cost: '2.50' });
  await log({ user_id: 'credit', total_cost: '-2.75' });
  assert.equal((await report('summary', 'credit')).total_cost, '-0.25');
});

test('the reports are current to the last event', async () => {
  for (let count = 1; count <= 3; count++) {
    await log({ user_id: 'current', total_cost: '1' });
    assert.equal((await report('summary', 'current')).total_cost, String(count));
  }
});

test('this month is the calendar month in UTC', async () => {
  const user_id = 'months';
  const events: [time: string, total_cost: string][] = [
    ['2026-02-28T23:59:59.999Z', '1'],
    ['2026-03-01T00:00:00.000Z', '10'],
    ['2026-03-31T23:59:59.999Z', '100'],
  ];
  for (const [time, total_cost] of events) {
    clock.set(time);
    await log({ user_id, total_cost });
  }
  assert.deepEqual(await report('summary', user_id), {
    total_cost: '111',
    this_month_cost: '110',
    by_provider: { openai: '111' },
  });
  clock.set('2026-04-01T00:00:00.000Z');
  const { total_cost, this_month_cost } = await report('summary', user_id);
  assert.deepEqual({ total_cost, this_month_cost }, { total_cost: '111', this_month_cost: '0' });
});

test('January’s month is not December’s', async () => {
  clock.set('2026-12-31T23:59:59.999Z');
  await log({ user_id: 'new year', total_cost: '1' });
  clock.set('2027-01-01T00:00:00.000Z');
  await log({ user_id: 'new year', total_cost: '2' });
  assert.equal((await report('summary', 'new year')).this_month_cost, '2');
});

test('agents are reported highest cost first, with their numbers of sessions and events', async () => {
  const user_id = 'agents';
  const agent = await service.request('POST', '/api/agents/', { body: { name: 'Front desk', user_id } });
  const known = agent.body.id;
  await log({ user_id, agent_id: known, session_id: 'a', total_cost: '1' });
  await log({ user_id, agent_id: known, session_id: 'a', total_cost: '1' });
  await log({ user_id, agent_id: known, session_id: 'b', total_cost: '1.5' });
  await log({ user_id, agent_id: 'elsewhere', session_id: 'a', total_cost: '20' });
  await log({ user_id, agent_id: 'cheap', session_id: 'c', total_cost: '-1' });
  await log({ user_id, agent_id: null, session_id: 'd', total_cost: '1000' });
  await log({ user_id, session_id: 'd', total_cost: '1000' });
  assert.deepEqual(await report('by-agent', user_id), [
    { agent_id: 'elsewhere', agent_name: 'Unknown', total_cost: '20', session_count: 1, event_count: 1 },
    { agent_id: known, agent_name: 'Front desk', total_cost: '3.5', session_count: 2, event_count: 3 },
    { agent_id: 'cheap', agent_name: 'Unknown', total_cost: '-1', session_count: 1, event_count: 1 },
  ]);
});

test('costs are ordered as numbers, not as text', async () => {
  const user_id = 'order';
  for (const total_cost of ['9', '10', '-2', '-10'])
    await log({ user_id, agent_id: `agent ${total_cost}`, total_cost });
  assert.deepEqual(
    (await report('by-agent', user_id)).map((one: { total_cost: string }) => one.total_cost),
    ['10', '9', '-2', '-10'],
  );
});

test('the name of another user’s agent is not shown', async () => {
  const agent = await service.request('POST', '/api/agents/', { body: { name: 'Secret', user_id: 'owner' } });
  await log({ user_id: 'curious', agent_id: agent.body.id });
  assert.equal((await report('by-agent', 'curious'))[0].agent_name, 'Unknown');
});

test('another user’s events are in no report', async () => {
  clock.set('2026-05-01T00:00:00.000Z');
  await log({ user_id: 'mine', agent_id: 'shared', session_id: 'shared', total_cost: '1' });
  await log({ user_id: 'yours', agent_id: 'shared', session_id: 'shared', total_cost: '2', provider: 'deepgram' });
  assert.deepEqual(await report('summary', 'mine'), {
    total_cost: '1',
    this_month_cost: '1',
    by_provider: { openai: '1' },
  });
  assert.deepEqual(await report('by-agent', 'mine'), [
    { agent_id: 'shared', agent_name: 'Unknown', total_cost: '1', session_count: 1, event_count: 1 },
  ]);
  assert.deepEqual(await report('timeline', 'mine'), [
    { date: '2026-05-01', total_cost: '1', by_provider: { openai: '1' } },
  ]);
});

test('a provider may have any name', async () => {
  const names = ['__proto__', 'constructor', 'toString', '世界 👋🏽', 'a"b\\c', '1', ' ', 'a\nb', '\r', '\u2028', '\t'];
  for (const [index, provider] of names.entries())
    await log({ user_id: 'names', provider, total_cost: `${index + 1}` });
  const expected = Object.fromEntries(names.map((name, index) => [name, `${index + 1}`]));
  const { by_provider, total_cost } = await report('summary', 'names');
  assert.equal(total_cost, '66');
  assert.deepEqual(Object.entries(by_provider).sort(), Object.entries(expected).sort());
  const [day] = await report('timeline', 'names');
  assert.deepEqual(Object.entries(day.by_provider).sort(), Object.entries(expected).sort());
  assert.equal(sum(Object.values(by_provider)), scaled(total_cost));
});

test('the costs of a session are its total, the sums by event type and by provider, and the events in order', async () => {
  const user_id = 'session costs';
  const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
  const answers = [
    await logUsage(service, {
      user_id,
      session_id: id,
      event_type: 'stt_minutes',
      provider: 'deepgram',
      total_cost: '0.3',
    }),
    await logUsage(service, { user_id, session_id: id, event_type: 'llm_tokens', total_cost: '0.1' }),
    await logUsage(service, { user_id, session_id: id, event_type: 'tts_characters', total_cost: '0.2' }),
  ];
  await log({ user_id, session_id: 'another session', total_cost: '5' });
  await log({ user_id: 'another user', session_id: id, total_cost: '7' });
  const expected = {
    session_id: id,
    total_cost: '0.6',
    by_event_type: { stt_minutes: '0.3', llm_tokens: '0.1', tts_characters: '0.2' },
    by_provider: { deepgram: '0.3', openai: '0.3' },
    events: answers.map(({ body }) => body),
    next_cursor: null,
  };
  assert.deepEqual((await service.request('GET', `/api/sessions/${id}/costs`)).body, expected);
  assert.deepEqual((await service.request('GET', `/api/sessions/${id}/costs`, { user: user_id })).body, expected);
});

test('a session without events has zero cost, and another user’s is not found', async () => {
  const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id: 'owner' } })).body;
  assert.deepEqual((await service.request('GET', `/api/sessions/${id}/costs`)).body, {
    session_id: id,
    total_cost: '0',
    by_event_type: {},
    by_provider: {},
    events: [],
    next_cursor: null,
  });
  const answers = await Promise.all(
    [id, 'no-id', '01980000-0000-7000-8000-000000000000'].map((one) =>
      rawAnswer(service, `/api/sessions/${one}/costs`, 'curious'),
    ),
  );
  assert.equal(new Set(answers).size, 1, answers.join('\n'));
});

test('the events of a session come in pages, each with the totals', async () => {
  const user_id = 'paged';
  const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
  const logged: string[] = [];
  for (let n = 1; n <= 7; n++)
    logged.push((await logUsage(service, { user_id, session_id: id, total_cost: `"${n}.10"` })).body.id);
  const found: string[] = [];
  let query = 'limit=3';
  for (let pages = 1; ; pages++) {
    const { status, body } = await service.request('GET', `/api/sessions/${id}/costs?${query}`);
    assert.deepEqual([status, body.total_cost, body.by_provider], [200, '28.7', { openai: '28.7' }]);
    assert.ok(body.events.length <= 3);
    found.push(...body.events.map((event: { id: string }) => event.id));
    query = `limit=3&cursor=${body.next_cursor}`;
    if (body.next_cursor !== null) continue;
    assert.equal(pages, 3);
    break;
  }
  assert.deepEqual(found, logged);
  for (let n = 0; n < 50; n++) await log({ user_id, session_id: id, total_cost: '0' });
  assert.equal((await service.request('GET', `/api/sessions/${id}/costs`)).body.events.length, 50);
  assert.deepEqual(problemsOf(await service.request('GET', `/api/sessions/${id}/costs?limit=101&from=x`)), [
    'query.from extra_forbidden',
    'query.limit less_than_equal',
  ]);
});

test('an amount has one form, without trailing zeros, in every answer', async () => {
  const user_id = 'canonical';
  const { id } = (await service.request('POST', '/api/sessions/', { body: { user_id } })).body;
  const fields = { user_id, session_id: id, agent_id: 'a' };
  const first = await logUsage(service, {
    ...fields,
    quantity: '1000',
    unit_cost: '"0.0000027868"',
    total_cost: '"0.00278680"',
  });
  await logUsage(service, { ...fields, quantity: '"2.50"', unit_cost: '1.0', total_cost: '"0.99721320"' });
  assert.deepEqual(
    [first.body.quantity, first.body.unit_cost, first.body.total_cost],
    ['1000', '0.0000027868', '0.0027868'],
  );
  const { body } = await service.request('GET', `/api/sessions/${id}/costs`);
  assert.deepEqual(body.events[0], first.body);
  assert.deepEqual(
    [body.total_cost, body.by_event_type, body.by_provider],
    ['1', { llm_tokens: '1' }, { openai: '1' }],
  );
  const { total_cost, this_month_cost, by_provider } = await report('summary', user_id);
  assert.deepEqual([total_cost, this_month_cost, by_provider], ['1', '1', { openai: '1' }]);
  assert.equal((await report('by-agent', user_id))[0].total_cost, '1');
  const [day] = await report('timeline', user_id);
  assert.deepEqual([day.total_cost, day.by_provider], ['1', { openai: '1' }]);
});
