import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readPages } from '@switchboard/testkit/client.ts';
import { createTestClock } from '@switchboard/testkit/clock.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MAX_EXPORTS } from '../../src/http/csv.ts';
import { timeIds } from '../../src/lib/ids.ts';
import { allPages, assertRefused, problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';
import { ask } from '../support/principals.ts';
import { logUsage } from '../support/usage.ts';

const clock = createTestClock('2026-01-01T00:00:00.000Z');
// As in a service that is started by `main.ts`: ids are made at the time of their events.
timeIds(() => clock.now().getTime());
after(() => timeIds(Date.now));
const service = await startService({ clock });
const CSV = { accept: 'text/csv' };
const user = 'user-1';

const EVENTS = [
  { at: '2026-01-31T23:59:59.999Z', session_id: 's1', agent_id: 'a', provider: 'openai', event_type: 'llm_tokens' },
  {
    at: '2026-02-01T00:00:00.000Z',
    session_id: 's1',
    agent_id: null,
    provider: 'openai',
    event_type: 'tts_characters',
  },
  { at: '2026-02-01T00:00:00.000Z', session_id: 's2', agent_id: 'b', provider: '=cmd|x', event_type: 'stt_minutes' },
  { at: '2026-02-28T23:59:59.999Z', session_id: 's2', agent_id: 'a', provider: 'a "b", c', event_type: 'llm_tokens' },
  { at: '2026-03-01T00:00:00.000Z', session_id: 's3', agent_id: 'a', provider: 'openai', event_type: 'llm_tokens' },
];
for (const [index, { at, ...fields }] of EVENTS.entries()) {
  clock.set(at);
  for (const user_id of [user, 'user-2']) {
    const amounts = { quantity: '"1.50"', unit_cost: '"0.10"', total_cost: `"-${2 ** index}.000000000000000001"` };
    assert.equal((await logUsage(service, { user_id, ...fields, ...amounts })).status, 201);
  }
}

const path = '/api/usage/events';
const list = (query = '') => readPages(service.url, `${path}${query}`, user);
/** The numbers of the events, by the whole part of their costs. */
const numbers = (rows: object[]) =>
  rows.map((row) => Math.log2(-Math.trunc(Number((row as { total_cost: string }).total_cost))));

test('events are listed oldest first, with all their digits, and their fields as they were sent', async () => {
  const events = await list();
  assert.deepEqual(numbers(events), [0, 1, 2, 3, 4]);
  const { id, ...first } = events[0] ?? {};
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(first, {
    session_id: 's1',
    user_id: user,
    agent_id: 'a',
    provider: 'openai',
    event_type: 'llm_tokens',
    quantity: '1.5',
    unit_cost: '0.1',
    total_cost: '-1.000000000000000001',
    created_at: '2026-01-31T23:59:59.999Z',
    model: null,
    direction: null,
    is_unpriced: false,
    adjusts: null,
    used_on: null,
  });
});

const FILTERS: [query: string, found: number[]][] = [
  ['start_date=2026-02-01&end_date=2026-02-28', [1, 2, 3]],
  ['start_date=2026-02-02', [3, 4]],
  ['end_date=2026-01-31', [0]],
  ['start_date=0001-01-01&end_date=9999-12-31', [0, 1, 2, 3, 4]],
  ['session_id=s1', [0, 1]],
  ['session_id=s2&start_date=2026-02-02', [3]],
  ['agent_id=a', [0, 3, 4]],
  ['agent_id=a&event_type=llm_tokens&provider=openai', [0, 4]],
  ['provider=%3Dcmd%7Cx', [2]],
  ['event_type=tts_characters', [1]],
  ['agent_id=nobody', []],
];
for (const [query, found] of FILTERS) {
  test(`?${query} finds the same in pages, one by one, as CSV, for one user and for all`, async () => {
    assert.deepEqual(numbers(await list(`?${query}`)), found);
    assert.deepEqual(numbers(await allPages(service, `${path}?${query}`, 1, { user })), found);
    const csv = await service.request('GET', `${path}?${query}`, { user, headers: CSV });
    assert.deepEqual(numbers(readCsv(csv.body)), found);
    // In open mode whoever names no user is like a service key.
    const all = await readPages(service.url, `${path}?${query}`);
    assert.deepEqual(
      numbers(all),
      found.flatMap((one) => [one, one]),
    );
    assert.deepEqual(new Set(all.map((event) => event.user_id)).size, found.length > 0 ? 2 : 0);
    assert.equal(readCsv((await service.request('GET', `${path}?${query}`, { headers: CSV })).body).length, all.length);
  });
}

test('CSV has the fields of JSON; text that resembles a formula begins with an apostrophe, a negative amount does not', async () => {
  const { status, headers, body } = await service.request('GET', path, { user, headers: CSV });
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.equal(headers.get('content-disposition'), 'attachment; filename="usage-events.csv"');
  assert.match(headers.get('vary') ?? '', /Accept/);
  const expected = (await list()).map((event) => ({
    ...event,
    agent_id: event.agent_id ?? '',
    provider: event.provider.replace(/^=/, "'="),
    model: '',
    direction: '',
    is_unpriced: 'false',
    adjusts: '',
    used_on: '',
  }));
  assert.deepEqual(readCsv(body), expected);
});

const ACCEPTED: [accept: string, isCsv: boolean][] = [
  ['*/*', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ['text/csv', true],
  ['TEXT/CSV;header=present', true],
  ['text/csv, */*', true],
  ['text/csv;q=0.5, application/json', false],
  ['application/json;q=0.5, text/csv;q=0.9', true],
  ['application/json, text/csv', false],
  ['text/csv, application/json', true],
  ['text/csv;q=0', false],
];
for (const [accept, isCsv] of ACCEPTED) {
  test(`Accept: ${accept} gets ${isCsv ? 'CSV' : 'JSON'}`, async () => {
    const { headers } = await service.request('GET', path, { user, headers: { accept } });
    assert.match(headers.get('content-type') ?? '', isCsv ? /^text\/csv/ : /^application\/json/);
  });
}

test('unknown parameters, invalid filters and foreign cursors are a 422', async () => {
  const refused = async (query: string) => problemsOf(await service.request('GET', `${path}?${query}`, { user }));
  assert.deepEqual(await refused('from=2026-01-01'), ['query.from extra_forbidden']);
  assert.deepEqual(await refused('start_date=2026-02-02&end_date=2026-02-01'), ['query.end_date date_before_start']);
  assert.deepEqual(await refused('event_type=calls&provider='), [
    'query.event_type enum',
    'query.provider string_too_short',
  ]);
  for (const key of [
    'x',
    '2026-13-45T00:00:00.000Z 01980000-0000-7000-8000-000000000001',
    '0000-01-01T00:00:00.000Z x',
  ]) {
    const cursor = Buffer.from(key).toString('base64url');
    assert.deepEqual(await refused(`cursor=${cursor}`), ['query.cursor value_error'], key);
  }
});

test('a service key that names no user lists the events of all, and a user those of its own', async () => {
  const amounts = { quantity: 1, unit_cost: 1, total_cost: 1 };
  const event = { session_id: 'mine', provider: 'openai', event_type: 'llm_tokens', ...amounts };
  for (const user_id of ['owner', 'other'])
    assert.equal((await ask('service', 'POST', path, { body: { ...event, user_id } })).status, 201);
  const users = async (who: string, options = {}) => {
    const { status, body } = await ask(who, 'GET', `${path}?session_id=mine`, options);
    assert.equal(status, 200);
    return body.items.map((item: { user_id: string }) => item.user_id).sort();
  };
  assert.deepEqual(await users('service'), ['other', 'owner']);
  assert.deepEqual(await users('service', { user: 'other' }), ['other']);
  assert.deepEqual(await users('owner'), ['owner']);
  assert.deepEqual(await users('owner by JWT'), ['owner']);
});

/** Begins an export and reads nothing of it. */
function begin(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { ...CSV, 'x-user-id': 'many' }, agent: false };
    get(`${service.url}${path}`, options, (response) => resolve(response.pause())).on('error', reject);
  });
}

const MANY = 80_000;
const BATCH = 10_000;
/** The place of the column. */
const TOTAL_COST = 9;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('an export of many events takes no more memory than one of few, and misses none', async () => {
  clock.set('2026-03-02T00:00:00.000Z');
  // In batches: a statement is given up after some seconds.
  for (let from = 1; from <= MANY; from += BATCH)
    await sql`
      insert into usage_events
        (id, session_id, user_id, agent_id, provider, model, event_type, quantity, unit_cost, total_cost, created_at)
      select gen_random_uuid(), rpad('session ' || n % 100, 250, '.'), 'many', repeat('agent', 50), 'provider',
        repeat('model', 50), 'llm_tokens', n, 1, n,
        timestamptz '2026-02-01T00:00:00Z' + interval '1 millisecond' * (n / 1500)
      from generate_series(${sql.lit(from)}, ${sql.lit(from + BATCH - 1)}) as n`.execute(service.database.db);
  const response = await begin();
  let text = '';
  let count = 0;
  let total = 0;
  let highest = 0;
  const before = heapInUse();
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (text + chunk).split('\r\n');
    text = lines.pop() ?? '';
    const isDue = Math.floor(count / 20_000) < Math.floor((count + lines.length) / 20_000);
    count += lines.length;
    for (const line of lines) total += Number(line.split(',')[TOTAL_COST]) || 0;
    if (isDue) highest = Math.max(highest, heapInUse() - before);
  }
  assert.deepEqual([count, total, text], [MANY + 1, (MANY * (MANY + 1)) / 2, '']);
  // All rows at once would be about 100 MB.
  assert.ok(highest < 30_000_000, `${highest} bytes`);
});

test('a user has at most four exports in progress', async () => {
  const running = [];
  for (let n = 0; n < MAX_EXPORTS; n++) running.push(await begin());
  const headers = { ...CSV };
  const fifth = await service.request('GET', path, { user: 'many', headers });
  assertRefused(fifth, 429, 'too_many_exports');
  assert.ok(Number(fifth.headers.get('retry-after')) > 0);
  assert.equal((await service.request('GET', path, { user: 'many' })).status, 200);
  assert.equal((await service.request('GET', path, { user, headers })).status, 200);
  for (const response of running) response.destroy();
  await eventually(
    async () => (await service.request('GET', `${path}?end_date=2026-01-01`, { user: 'many', headers })).status,
    (status) => status === 200,
  );
});
