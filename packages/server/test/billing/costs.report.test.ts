import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent } from '@switchboard/testkit/calls.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { insertUsageEvents, type NewUsageEvent } from '../../src/ledger/usage/store.ts';
import { newId } from '../../src/lib/ids.ts';
import { allPages, problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';
import { logUsage } from '../support/usage.ts';

const clock = createTestClock('2026-02-28T23:59:59.999Z');
const service = await startService({ clock, env: { CURRENCY: 'EUR' } });
const { db } = service.database;
const user = 'user-1';
const agent = await createAgent(service, { user_id: user, name: 'Front desk' });

type Fields = Partial<NewUsageEvent> & Pick<NewUsageEvent, 'event_type' | 'quantity'>;
const made = (fields: Fields): NewUsageEvent => ({
  id: newId(),
  session_id: 's',
  user_id: user,
  provider: 'openai',
  created_at: clock.now(),
  ...fields,
});

const unpriced = made({ event_type: 'llm_input_tokens', quantity: '100', model: 'gpt', agent_id: agent });
await insertUsageEvents(db, [
  unpriced,
  made({ event_type: 'llm_output_tokens', quantity: '10', unit_cost: '0.5', model: 'gpt', agent_id: agent }),
  made({ event_type: 'stt_minutes', quantity: '1.5', unit_cost: '2', provider: 'deepgram', agent_id: 'nobody' }),
]);
clock.set('2026-03-02T00:00:00.000Z');
await insertUsageEvents(db, [
  made({ event_type: 'telephony_minutes', quantity: '3', unit_cost: '0.01', provider: 'twilio', direction: 'INBOUND' }),
  made({
    event_type: 'telephony_minutes',
    quantity: '4',
    unit_cost: '0.02',
    provider: 'twilio',
    direction: 'OUTBOUND',
  }),
  made({ event_type: 'llm_tokens', quantity: '1', unit_cost: '-1', agent_id: agent }),
  made({ event_type: 'llm_tokens', quantity: '1', unit_cost: '100', user_id: 'user-2', agent_id: agent }),
]);

async function report(query: string, as: string | null = user) {
  const path = `/api/costs/report?${query}`;
  const { status, body } = await service.request('GET', path, as === null ? {} : { user: as });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const csv = async (query: string, as?: string) => {
  const { status, headers, body } = await service.request('GET', `/api/costs/report?${query}`, {
    ...(as !== undefined && { user: as }),
    headers: { accept: 'text/csv' },
  });
  assert.equal(status, 200);
  assert.equal(headers.get('content-disposition'), 'attachment; filename="costs.csv"');
  return body;
};

test('a report has the totals, the unpriced events, and the groups in the requested order', async () => {
  assert.deepEqual(await report('group_by=month,provider,event_type'), {
    currency: 'EUR',
    total_cost: '7.11',
    events: 6,
    unpriced: { events: 1, kinds: [{ provider: 'openai', model: 'gpt', event_type: 'llm_input_tokens', events: 1 }] },
    items: [
      ['2026-02-01', 'deepgram', 'stt_minutes', '1.5', '3', 0],
      ['2026-02-01', 'openai', 'llm_input_tokens', '100', '0', 1],
      ['2026-02-01', 'openai', 'llm_output_tokens', '10', '5', 0],
      ['2026-03-01', 'openai', 'llm_tokens', '1', '-1', 0],
      ['2026-03-01', 'twilio', 'telephony_minutes', '7', '0.11', 0],
    ].map(([month, provider, event_type, quantity, total_cost, unpriced_events]) => ({
      month,
      provider,
      event_type,
      quantity,
      total_cost,
      unpriced_events,
      events: provider === 'twilio' ? 2 : 1,
    })),
    next_cursor: null,
  });
});

const KEYS: [query: string, groups: unknown[][]][] = [
  [
    'group_by=day',
    [
      ['2026-02-28', '8'],
      ['2026-03-02', '-0.89'],
    ],
  ],
  [
    'group_by=week',
    [
      ['2026-02-23', '8'],
      ['2026-03-02', '-0.89'],
    ],
  ],
  [
    'group_by=agent',
    [
      [null, null, '0.11'],
      [agent, 'Front desk', '4'],
      ['nobody', 'Unknown', '3'],
    ],
  ],
  [
    'group_by=model',
    [
      [null, '2.11'],
      ['gpt', '5'],
    ],
  ],
  [
    'group_by=direction&event_type=telephony_minutes',
    [
      ['INBOUND', '0.03'],
      ['OUTBOUND', '0.08'],
    ],
  ],
  ['group_by=direction&direction=OUTBOUND', [['OUTBOUND', '0.08']]],
  [`group_by=day&agent_id=${agent}&start_date=2026-03-01`, [['2026-03-02', '-1']]],
  ['group_by=provider&end_date=2026-02-28&model=gpt', [['openai', '5']]],
  ['group_by=provider&provider=nobody', []],
];
for (const [query, groups] of KEYS) {
  test(`?${query} finds its groups, in pages and as CSV`, async () => {
    const names = ['day', 'week', 'agent_id', 'agent_name', 'provider', 'model', 'direction', 'total_cost'];
    const values = (row: Record<string, unknown>) => names.flatMap((name) => (name in row ? [row[name]] : []));
    assert.deepEqual((await report(query)).items.map(values), groups);
    assert.deepEqual(
      (await allPages(service, `/api/costs/report?${query}`, 1, { user })).map((row) => values({ ...row })),
      groups,
    );
    assert.deepEqual(
      readCsv(await csv(query, user)).map(values),
      groups.map((group) => group.map((value) => value ?? '')),
    );
  });
}

test('quantities of different units are not summed', async () => {
  const quantities = async (query: string) =>
    (await report(query)).items.map((item: { quantity: string }) => item.quantity);
  assert.deepEqual(await quantities('group_by=provider'), [null, null, null]);
  assert.deepEqual(await quantities('group_by=provider&event_type=telephony_minutes'), ['7']);
});

test('CSV has a column for each group, then the figures', async () => {
  assert.equal(
    await csv('group_by=month,agent&end_date=2026-02-28', user),
    [
      'month,agent_id,agent_name,quantity,total_cost,events,unpriced_events,currency',
      `2026-02-01,${agent},Front desk,,5,2,1,EUR`,
      '2026-02-01,nobody,Unknown,,3,1,0,EUR',
      '',
    ].join('\r\n'),
  );
  assert.equal(
    await csv('group_by=model&provider=nobody', user),
    'model,quantity,total_cost,events,unpriced_events,currency\r\n',
  );
});

test('without a user a report covers all users, and an agent has its name only with its own user', async () => {
  const { items, total_cost } = await report('group_by=user,agent&event_type=llm_tokens', null);
  assert.equal(total_cost, '99');
  const shown = items.map((item: Record<string, string>) => [item.user_id, item.agent_name, item.total_cost]);
  assert.deepEqual(shown, [
    ['user-1', 'Front desk', '-1'],
    ['user-2', 'Unknown', '100'],
  ]);
  assert.equal((await report('group_by=day&user_id=user-2', null)).total_cost, '100');
  assert.equal((await report('group_by=day&user_id=user-2', 'user-2')).total_cost, '100');
});

test('a later price counts for the day of its event, and a report as of the day before excludes it', async () => {
  clock.set('2026-04-05T10:00:00.000Z');
  const price = made({
    event_type: 'llm_input_tokens',
    model: 'gpt',
    agent_id: agent,
    quantity: '0',
    unit_cost: '0.001',
    total_cost: '0.1',
    adjusts: unpriced.id,
    used_on: '2026-02-28',
    is_pricing: true,
  });
  await insertUsageEvents(db, [price]);
  const february = 'group_by=event_type&start_date=2026-02-01&end_date=2026-02-28&model=gpt';
  const figures = async (query: string) => {
    const { total_cost, events, unpriced } = await report(query);
    return [total_cost, events, unpriced.events, unpriced.kinds.length];
  };
  assert.deepEqual(await figures(february), ['5.1', 3, 0, 0]);
  assert.deepEqual(await figures(`${february}&as_of=2026-04-05`), ['5.1', 3, 0, 0]);
  assert.deepEqual(await figures(`${february}&as_of=2026-04-04`), ['5', 2, 1, 1]);
  assert.deepEqual(await figures('group_by=day&as_of=2026-02-27'), ['0', 0, 0, 0]);
  assert.deepEqual(await figures('group_by=day&start_date=2026-04-01'), ['0', 0, 0, 0]);
});

test('a report lists up to a hundred kinds of unpriced events, and counts all', async () => {
  const kinds = Array.from({ length: 101 }, (_, index) =>
    made({ event_type: 'llm_input_tokens', quantity: '1', model: `model-${index}`, user_id: 'many' }),
  );
  await insertUsageEvents(db, [...kinds, ...kinds.slice(1).map((kind) => ({ ...kind, id: newId() }))]);
  const { unpriced } = await report('group_by=month', 'many');
  assert.equal(unpriced.events, 201);
  assert.equal(unpriced.kinds.length, 100);
  // The one that is left out has the fewest.
  assert.ok(unpriced.kinds.every(({ events }: { events: number }) => events === 2));
});

test('unknown names, parameters and cursors of other reports are a 422', async () => {
  const refused = async (query: string) =>
    problemsOf(await service.request('GET', `/api/costs/report?${query}`, { user }));
  assert.deepEqual(await refused(''), ['query.group_by missing']);
  assert.deepEqual(await refused('group_by=day,hour'), ['query.group_by string_pattern_mismatch']);
  assert.deepEqual(await refused('group_by=day&agent=a'), ['query.agent extra_forbidden']);
  assert.deepEqual(await refused('group_by=day&as_of=yesterday'), ['query.as_of date_parsing']);
  assert.deepEqual(await refused('group_by=day&start_date=2026-02-02&end_date=2026-02-01'), [
    'query.end_date date_before_start',
  ]);
});

test('a cursor that this report did not issue is a 422', async () => {
  const { next_cursor } = await report('group_by=day,provider&limit=1');
  const refused = async (query: string, cursor: string) =>
    problemsOf(await service.request('GET', `/api/costs/report?${query}&cursor=${cursor}`, { user }));
  // With the sums of another report a page would book a wrong figure.
  for (const query of ['group_by=day,model', 'group_by=day', 'group_by=day,provider&model=gpt'])
    assert.deepEqual(await refused(query, next_cursor), ['query.cursor value_error'], query);
  const [mark, total_cost, events] = JSON.parse(Buffer.from(next_cursor, 'base64url').toString());
  const key = (...changed: unknown[]) => JSON.stringify([mark, total_cost, events, ...changed]);
  for (const place of [
    'x',
    '{}',
    '[1]',
    'null',
    '["a","b"]',
    key(['2026-02-28']),
    key('2026-02-28', 'a'),
    key(['2026-02-28', '\0']),
    key(['2026-02-28', '\ud800']),
    key(['2026-02-30', 'a']),
    key(['0000-01-01', 'a']),
    key(['a', 'b']),
    key([1, 2]),
    JSON.stringify([mark, 'a', 1, ['2026-02-28', 'a']]),
    JSON.stringify([mark, '1', '1', ['2026-02-28', 'a']]),
  ])
    assert.deepEqual(
      await refused('group_by=day,provider', Buffer.from(place).toString('base64url')),
      ['query.cursor value_error'],
      place,
    );
});

test('later pages repeat the totals of the first, whatever is logged meanwhile, and show current unpriced events', async () => {
  const days = ['2026-01-05', '2026-01-06', '2026-02-01'];
  const event = (day: string, unit_cost: string | null) =>
    made({ event_type: 'llm_tokens', quantity: '1', unit_cost, user_id: 'pages', created_at: new Date(day) });
  await insertUsageEvents(db, [...days.map((day) => event(day, '0.5')), event('2026-02-01', null)]);
  for (const group_by of ['day,provider', 'week', 'month,provider', 'provider,day']) {
    const begun = await report(`group_by=${group_by}&limit=1`, 'pages');
    await insertUsageEvents(db, [event('2026-03-01', '1'), event('2026-03-01', null)]);
    const next = await report(`group_by=${group_by}&limit=1&cursor=${begun.next_cursor}`, 'pages');
    assert.deepEqual([next.total_cost, next.events], [begun.total_cost, begun.events], group_by);
    assert.equal(next.unpriced.events, begun.unpriced.events + 1);
    assert.deepEqual(
      next.unpriced.kinds.map((kind: { events: number }) => kind.events),
      [next.unpriced.events],
    );
  }
});

test('a report includes an event as soon as it is acknowledged', async () => {
  for (let events = 1; events <= 5; events++) {
    await logUsage(service, { user_id: 'reader' });
    assert.equal((await report('group_by=day', 'reader')).events, events);
  }
});
