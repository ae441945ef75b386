import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { problemsOf } from '../support/answers.ts';
import { readCsv } from '../support/csv.ts';

const service = await startService();
const put = (body: unknown, type = 'application/json') =>
  service.request('PUT', '/api/prices', { body, headers: { 'content-type': type } });
const list = async (query = '') => (await service.request('GET', `/api/prices?limit=100${query}`)).body.items;
const entry = { provider: 'openai', event_type: 'llm_tokens', price: '0.0000006', valid_from: '2026-01-01' };
const counts = ({ body: { added, replaced, unchanged } }: Awaited<ReturnType<typeof put>>) => [
  added,
  replaced,
  unchanged,
];

test('a price is in the book once it is recorded, and recording it again changes nothing', async () => {
  const answer = await put({ entries: [{ ...entry, provider: 'once' }] });
  assert.deepEqual([answer.status, ...counts(answer)], [200, 1, 0, 0]);
  const before = await list('&provider=once&history=true');
  const again = await put({ entries: [{ ...entry, provider: 'once', price: '0.00000060' }] });
  assert.deepEqual([again.body.entries, ...counts(again)], [['unchanged'], 0, 0, 1]);
  assert.deepEqual(await list('&provider=once&history=true'), before);
  assert.deepEqual(before[0], {
    ...entry,
    provider: 'once',
    id: before[0].id,
    recorded_at: before[0].recorded_at,
    model: null,
    prefix: null,
    direction: null,
    billing_increment: null,
    superseded_at: null,
    is_withdrawn: false,
  });
});

test('another price of the same key and date takes its place, and the history keeps both', async () => {
  await put({ entries: [{ ...entry, provider: 'twice' }] });
  assert.deepEqual(counts(await put({ entries: [{ ...entry, provider: 'twice', price: 2 }] })), [0, 1, 0]);
  assert.deepEqual(
    (await list('&provider=twice')).map(({ price }: { price: string }) => price),
    ['2'],
  );
  const history = await list('&provider=twice&history=true');
  assert.deepEqual(
    history.map(({ price, superseded_at }: { price: string; superseded_at: string | null }) => [
      price,
      superseded_at !== null,
    ]),
    [
      ['0.0000006', true],
      ['2', false],
    ],
  );
  assert.equal(history[0].superseded_at, history[1].recorded_at);
});

test('numbers keep their digits', async () => {
  await put(
    '{"entries":[{"provider":"digits","event_type":"llm_tokens","price":1.2345678901234567e-1,"valid_from":"2026-01-01"}]}',
  );
  assert.equal((await list('&provider=digits'))[0].price, '0.12345678901234567');
});

test('all problems of a body are reported at once, each with its entry, and nothing is recorded', async () => {
  const entries = [
    { ...entry, provider: 'wrong' },
    { ...entry, provider: 'wrong', price: '-1', valid_from: '2026-02-30' },
    { ...entry, provider: 'wrong', prefix: '44', billing_increment: '60/60' },
    {
      ...entry,
      provider: 'wrong',
      event_type: 'telephony_minutes',
      prefix: '+44',
      model: 'gpt',
      billing_increment: '7',
    },
    { ...entry, provider: 'wrong', price: '5', currency: 'EUR' },
    7,
  ];
  assert.deepEqual(problemsOf(await put({ entries })), [
    'body.entries.1.price greater_than_equal',
    'body.entries.1.valid_from date_parsing',
    'body.entries.2.billing_increment value_error',
    'body.entries.2.prefix value_error',
    'body.entries.3.billing_increment enum',
    'body.entries.3.model value_error',
    'body.entries.3.prefix string_pattern_mismatch',
    'body.entries.4.currency extra_forbidden',
    'body.entries.4.valid_from value_error',
    'body.entries.5 dict_type',
  ]);
  assert.deepEqual(await list('&provider=wrong'), []);
  assert.deepEqual(problemsOf(await put({ entries: [] })), ['body.entries too_short']);
});

test('a file is read no further than prices are allowed, and not at all with lines that no file of prices has', async () => {
  const header = 'provider,event_type,price,valid_from';
  const lines = Array.from({ length: 5001 }, (_, index) => `long${index},llm_tokens,1,2026-01-01`);
  // The quotes that are wrong stand behind what is read.
  const long = await put([header, ...lines, 'x,"y" z,1,2'].join('\n'), 'text/csv');
  assert.deepEqual(problemsOf(long), ['body.entries too_long']);
  const names = Array.from({ length: 20_000 }, (_, index) => `c${index}`);
  const wide = await put([names.join(), 'x'].join('\n'), 'text/csv');
  assert.deepEqual(problemsOf(wide), ['body.line.1 csv_invalid']);
});

test('one request records 5,000 prices at most', async () => {
  const entries = Array.from({ length: 5000 }, (_, index) => ({
    ...entry,
    provider: 'bulk',
    event_type: 'telephony_minutes',
    prefix: String(index + 1),
    direction: 'OUTBOUND',
    billing_increment: '60/60',
  }));
  assert.deepEqual(counts(await put({ entries })), [5000, 0, 0]);
  assert.deepEqual(problemsOf(await put({ entries: [...entries, entry] })), ['body.entries too_long']);
});

test('CSV is read as a spreadsheet writes it', async () => {
  const file =
    '\uFEFFPrice,provider,event_type,model,prefix,direction,billing_increment,valid_from\r\n' +
    '0.0158,"tele ""com"", Ltd",telephony_minutes,,4420,OUTBOUND,60/60,2026-01-01\r\n\r\n' +
    "1,csv,llm_tokens,'@cf/meta,,,,2026-01-01";
  assert.deepEqual(counts(await put(file, 'text/csv; charset=utf-8')), [2, 0, 0]);
  const [line] = await list('&provider=tele%20%22com%22%2C%20Ltd');
  assert.deepEqual([line.prefix, line.billing_increment, line.price], ['4420', '60/60', '0.0158']);
  assert.equal((await list('&provider=csv'))[0].model, '@cf/meta');
});

test('the problems of a CSV file name their lines', async () => {
  const file = [
    'provider,event_type,price,valid_from,prefix',
    'wrong,llm_tokens,much,2026-01-01',
    'wrong,llm_tokens,1,2026-01-02,,surplus',
    '',
    'wrong,minutes,1',
    'wrong,llm_tokens,1,2026-01-03,44',
  ].join('\n');
  assert.deepEqual(problemsOf(await put(file, 'text/csv')), [
    'body.line.2.price decimal_parsing',
    'body.line.3.column 6 extra_forbidden',
    'body.line.5.event_type enum',
    'body.line.5.valid_from missing',
    'body.line.6.prefix value_error',
  ]);
  assert.deepEqual(await list('&provider=wrong'), []);
});

test('a file that is not a CSV of prices is refused with the reasons', async () => {
  assert.deepEqual(problemsOf(await put('provider,cost,provider\nx,1,x', 'text/csv')), [
    ...Array(5).fill('body.line.1 csv_invalid'),
  ]);
  assert.deepEqual(problemsOf(await put('provider,event_type,price,valid_from\nx,"y" z,1,2', 'text/csv')), [
    'body.line.2 csv_invalid',
  ]);
  assert.deepEqual(problemsOf(await put('', 'text/csv')), ['body.line.1 csv_invalid']);
  const { status } = await service.request('POST', '/api/usage/events/batch', {
    body: 'a,b',
    headers: { 'content-type': 'text/csv' },
  });
  assert.equal(status, 415);
});

test('an exported book is the same when it is recorded again', async () => {
  const { body, headers } = await service.request('GET', '/api/prices', { headers: { accept: 'text/csv' } });
  assert.match(String(headers.get('content-type')), /^text\/csv/);
  const rows = readCsv(body);
  assert.ok(rows.length > 100);
  const answer = await put(body.split('\r\n').slice(0, 101).join('\r\n'), 'text/csv');
  assert.deepEqual(counts(answer), [0, 0, 100]);
});

test('the book is listed in pages', async () => {
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await service.request('GET', `/api/prices?limit=3&provider=bulk${cursor}`);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    if (seen.length >= 12) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  assert.equal(new Set(seen).size, 12);
  assert.deepEqual(problemsOf(await service.request('GET', '/api/prices?cursor=x&event_type=calls')), [
    'query.event_type enum',
  ]);
});

test('of concurrent changes of one price one is current, and all are in the history', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => put({ entries: [{ ...entry, provider: 'race', price: `${index}` }] })),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(8).fill(200),
  );
  assert.equal((await list('&provider=race')).length, 1);
  assert.equal((await list('&provider=race&history=true')).length, 8);
});

test('the audit log has each change of the book', async () => {
  await put({ entries: [{ ...entry, provider: 'audited' }] });
  await put({ entries: [{ ...entry, provider: 'audited' }] });
  const { body } = await service.request('GET', '/api/audit?limit=2');
  const [id] = (await list('&provider=audited')).map((price: { id: string }) => price.id);
  const [first] = body.items;
  assert.deepEqual(
    [first.actor, first.action, first.target, first.detail],
    ['open', 'prices.changed', `price/${id}`, '1 added, 0 replaced'],
  );
  assert.notEqual(body.items[1].target, `price/${id}`);
  assert.deepEqual(Object.keys(first.after), [`audited ${entry.event_type} ${entry.valid_from}`]);
  assert.equal(first.before, null);
  await put({ entries: [{ ...entry, provider: 'audited', price: '0.75' }] });
  const [second] = (await service.request('GET', '/api/audit?limit=1')).body.items;
  assert.deepEqual([Object.values(second.before), Object.values(second.after)], [[entry.price], ['0.75']]);
});
