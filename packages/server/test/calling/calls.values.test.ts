import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { MAX_VALUE_FILTERS } from '../../src/calling/history/values-schema.ts';
import { AT_ONCE, analysed, analysing, endedCall, saveExtractor } from '../support/analyses.ts';
import { allPages, problemsOf } from '../support/answers.ts';
import { send } from '../support/tests.ts';

const service = await startService({ env: AT_ONCE });
after(() => service.close());

await saveExtractor(service, 'visit', { weights: { guests: 1 } });
const agent_id = await analysing(service, ['visit']);
const other_agent = await analysing(service, ['visit']);
const calls: string[] = [];
for (const [words, guests, agent] of [
  ['Booked. Parking?', 3, agent_id],
  ['Moved.', 1, agent_id],
  ['Booked.', 10, other_agent],
  ['=Booked, with a price and parking.', 2, agent_id],
  ['Hello?', null, agent_id],
] as const) {
  const said: [string, string][] = [
    ['USER', words],
    ['USER', guests === null ? 'Nobody.' : `${guests} guests`],
  ];
  const { call_id } = await endedCall(service, agent, said);
  await analysed(service, call_id);
  calls.push(call_id);
}

const list = async (query: string, user: string | null = USER) => {
  const { status, body } = await send(service, 'GET', `/api/calls/?${query}`, undefined, user);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ id, call_id }: Json) => calls.indexOf(call_id ?? id));
};

test('calls are found by values of their analyses, with each other and with every other filter', async () => {
  assert.deepEqual(await list('analysis.outcome=booked'), [3, 2, 0]);
  assert.deepEqual(await list('analysis[outcome]=booked'), [3, 2, 0]);
  assert.deepEqual(await list('analysis.outcome=booked&analysis.topics=parking'), [3, 0]);
  assert.deepEqual(await list('analysis.guests=10'), [2]);
  assert.deepEqual(await list(`analysis.outcome=booked&agent_id=${agent_id}`), [3, 0]);
  assert.deepEqual(await list('analysis.outcome=booked&q=price'), [3]);
  assert.deepEqual(await list('analysis.outcome=booked&direction=INBOUND'), []);
  assert.deepEqual(await list('analysis.outcome=none'), []);
  assert.deepEqual(await list('analysis.outcome=booked', 'other'), []);
  assert.deepEqual(await list('analysis.outcome=booked', null), [3, 2, 0]);
});

test('a list has the values of its calls on request', async () => {
  const { body } = await send(service, 'GET', '/api/calls/?include=analysis,total_cost&limit=5');
  const valuesOf = (call: number) => body.items.find((one: Json) => one.call_id === calls[call]).analysis;
  assert.deepEqual([valuesOf(0).outcome, valuesOf(0).guests, valuesOf(0).topics], ['booked', '3', 'parking']);
  assert.equal(valuesOf(3).topics, 'parking; price');
  assert.equal('outcome' in valuesOf(4), false);
  const plain = await send(service, 'GET', '/api/calls/?limit=1');
  assert.equal('analysis' in plain.body.items[0], false);
});

test('calls are sorted by a value, in both directions, page by page', async () => {
  assert.deepEqual(await list('sort=analysis.guests'), [1, 3, 0, 2]);
  assert.deepEqual(await list('sort=-analysis.score'), [2, 0, 3, 1]);
  assert.deepEqual(await list('sort=-analysis.guests&analysis.outcome=booked'), [2, 0, 3]);
  assert.deepEqual(await list(`sort=analysis.guests&agent_id=${agent_id}`), [1, 3, 0]);
  for (const [query, expected] of [
    ['sort=-analysis.guests', [2, 0, 3, 1]],
    ['sort=analysis.outcome', [0, 2, 3, 1]],
    ['analysis.outcome=booked', [3, 2, 0]],
  ] as const) {
    const items = await allPages(service, `/api/calls/?${query}`, 1, { user: USER });
    assert.deepEqual(
      items.map((one) => calls.indexOf((one as Json).call_id ?? one.id)),
      expected,
      query,
    );
  }
  const cursor = Buffer.from('[1,"x"]').toString('base64url');
  for (const wrong of [cursor, 'x', Buffer.from(calls[0] ?? '').toString('base64url')])
    assert.deepEqual(problemsOf(await send(service, 'GET', `/api/calls/?sort=analysis.guests&cursor=${wrong}`)), [
      'query.cursor value_error',
    ]);
});

test('a filter that is none is refused', async () => {
  for (const [query, problem] of [
    ['analysis.topics=price&analysis.topics=parking', 'query.analysis.topics string_type'],
    ['sort=guests', 'query.sort string_pattern_mismatch'],
    ['sort=analysis.a-b', 'query.sort string_pattern_mismatch'],
    [`analysis.outcome=${'x'.repeat(201)}`, 'query.analysis.outcome string_too_long'],
  ] as const)
    assert.deepEqual(problemsOf(await send(service, 'GET', `/api/calls/?${query}`)), [problem], query);
  const many = Array.from({ length: MAX_VALUE_FILTERS + 1 }, (_, n) => `analysis.f${n}=x`).join('&');
  assert.equal((await send(service, 'GET', `/api/calls/?${many}`)).status, 422);
  assert.equal((await send(service, 'GET', '/api/calls/?analysis.a-b=x')).status, 422);
  assert.equal((await send(service, 'GET', '/api/calls/?analysis=x')).status, 422);
});

test('the export has a column for each field of the user’s extractors, and no others’', async () => {
  const lines = async (query: string, user: string | null = USER) => {
    const headers = user === null ? {} : { 'x-user-id': user };
    const text = await (await fetch(`${service.url}/api/calls/export?${query}`, { headers })).text();
    return text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
  };
  const [header = [], ...rows] = await lines('analysis.outcome=booked');
  const at = (name: string) => header.indexOf(name);
  assert.deepEqual(
    header.filter((name) => name.startsWith('analysis.')),
    [
      'analysis.success',
      'analysis.score',
      'analysis.outcome',
      'analysis.was_friendly',
      'analysis.guests',
      'analysis.note',
      'analysis.topics',
    ],
  );
  assert.deepEqual(
    rows.map((row) => [
      calls.indexOf(row[at('call_id')] ?? ''),
      row[at('analysis.outcome')],
      row[at('analysis.guests')],
    ]),
    [
      [3, 'booked', '2'],
      [2, 'booked', '10'],
      [0, 'booked', '3'],
    ],
  );
  assert.equal(rows[0]?.slice(at('analysis.topics')).join(','), '"parking; price"');
  const [plain = []] = await lines('', 'other');
  assert.deepEqual(
    plain.filter((name) => name.startsWith('analysis.')),
    [],
  );
  const sorted = await lines('sort=analysis.guests');
  assert.deepEqual(
    sorted.slice(1).map((row) => calls.indexOf(row[at('call_id')] ?? '')),
    [1, 3, 0, 2],
  );
});
