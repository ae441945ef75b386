import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readValueSearch, valueNames, valueQuery, writeValueSearch } from '../src/data/analysis-search.ts';
import { barsOf, columnText, daysOf, failureText, findersOf, foundText, meanText } from '../src/data/analysis-words.ts';
import { toBackfill } from '../src/data/backfill-choice.ts';
import { OTHERS } from '../src/data/series.ts';

test('filters, columns and order of a list are read from its address, and written back beside everything else', () => {
  const address = 'q=hello&analysis.outcome=booked&analysis.note=a%26b&columns=outcome,score&sort=-analysis.score';
  const search = readValueSearch(new URLSearchParams(address));
  assert.deepEqual(search, {
    filters: [
      ['outcome', 'booked'],
      ['note', 'a&b'],
    ],
    columns: ['outcome', 'score'],
    sort: 'score',
    isFalling: true,
  });
  assert.deepEqual(valueQuery(search), { analysis: { outcome: 'booked', note: 'a&b' }, sort: '-analysis.score' });
  const written = writeValueSearch(new URLSearchParams('q=hello&analysis.old=1&columns=old'), search);
  assert.deepEqual(readValueSearch(written), search);
  assert.deepEqual([written.get('q'), written.has('analysis.old')], ['hello', false]);
  assert.deepEqual(valueNames(written), ['analysis.outcome', 'analysis.note', 'columns', 'sort']);
});

test('an address that cannot be meant asks the service for nothing that it refuses', () => {
  const many = Array.from({ length: 9 }, (_, at) => `analysis.f${at}=1`).join('&');
  const search = readValueSearch(
    new URLSearchParams(`${many}&analysis.a-b=1&analysis.empty=&columns=a,,b-c,a,1&sort=analysis.a-b`),
  );
  assert.equal(search.filters.length, 5);
  assert.deepEqual([search.columns, search.sort], [['a'], null]);
  assert.deepEqual(readValueSearch(new URLSearchParams()), { filters: [], columns: [], sort: null, isFalling: false });
  assert.deepEqual(valueQuery(readValueSearch(new URLSearchParams())), {});
});

test('fields to find calls by have the values of all extractors, each once', () => {
  const schema = (properties: object) => ({ schema: { type: 'object', properties } });
  const finders = findersOf([
    schema({ outcome: { type: 'string', enum: ['booked', 'none'] }, note: { type: 'string' } }),
    schema({
      outcome: { type: 'string', enum: ['none', 'moved'] },
      guests: { type: 'integer' },
      ok: { type: 'boolean' },
    }),
    schema({ topics: { type: 'array', items: { type: 'string', enum: ['price'] } } }),
  ]);
  assert.deepEqual(
    finders.map(({ field, values, isCounted }) => [field, values?.map(([value]) => value) ?? null, isCounted]),
    [
      ['outcome', ['booked', 'none', 'moved'], true],
      ['note', null, false],
      ['guests', null, true],
      ['ok', ['true', 'false'], true],
      ['topics', ['price'], true],
      ['success', ['true', 'false'], true],
      ['score', null, true],
    ],
  );
});

test('values are told in words; one that the transcript does not say is none', () => {
  assert.deepEqual([true, false, null, 0, [], ['a', 'b'], 'x'].map(foundText), [
    'Yes',
    'No',
    null,
    '0',
    'None',
    'a, b',
    'x',
  ]);
  assert.deepEqual(
    [columnText('score', '0.6667'), columnText('ok', 'true'), columnText('x', undefined), meanText('guests', 2.3333)],
    ['67 %', 'Yes', null, '2.33'],
  );
  assert.match(failureText('no JSON'), /The last attempt: no JSON\.$/);
  assert.match(failureText(null), /no reason/);
});

test('groups are gathered by version, the newest first, the most frequent value first', () => {
  const group = (agent_version: number | null, value: string | null, calls: number, mean: number | null = null) => ({
    agent_id: 'a',
    agent_version,
    value,
    calls,
    mean,
  });
  assert.deepEqual(barsOf([group(1, 'booked', 1), group(2, 'booked', 2), group(2, 'none', 5)]), [
    {
      agentId: 'a',
      version: 2,
      calls: 7,
      mean: null,
      bars: [
        { value: 'none', calls: 5 },
        { value: 'booked', calls: 2 },
      ],
    },
    { agentId: 'a', version: 1, calls: 1, mean: null, bars: [{ value: 'booked', calls: 1 }] },
  ]);
  assert.deepEqual(barsOf([group(3, null, 4, 0.5)]), [{ agentId: 'a', version: 3, calls: 4, mean: 0.5, bars: [] }]);
});

test('a backfill has the days as they are chosen, both included, and is refused where no call can match', () => {
  const all = { extractor: 'visit', agent_id: '', agent_version: '', direction: '', from: '', to: '' };
  assert.deepEqual(toBackfill(all).wanted, { extractor: 'visit', filter: {} });
  const { wanted } = toBackfill({ ...all, agent_id: 'a', agent_version: '2', from: '2026-01-05', to: '2026-01-05' });
  assert.equal(Date.parse(wanted?.filter.to ?? '') - Date.parse(wanted?.filter.from ?? ''), 86_400_000);
  assert.deepEqual([wanted?.filter.agent_id, wanted?.filter.agent_version], ['a', 2]);
  assert.match(toBackfill({ ...all, from: '2026-02-01', to: '2026-01-01' }).problem ?? '', /after the last/);
  assert.match(toBackfill({ ...all, agent_id: 'a', agent_version: '1.5' }).problem ?? '', /whole number/);
  assert.match(toBackfill({ ...all, to: '12026-01-01' }).problem ?? '', /four digits/);
  assert.equal(toBackfill({ ...all, extractor: '' }).wanted, null);
});

test('answers are plotted for every day, the most frequent first, and rare ones of many together', () => {
  const group = (day: string, value: string | null, calls: number) => ({ day, value, calls, mean: null });
  const { series, days, columns } = daysOf(
    [group('2026-01-01', 'none', 1), group('2026-01-01', 'booked', 2), group('2026-01-03', 'booked', 4)],
    '2026-01-01',
    '2026-01-04',
  );
  assert.deepEqual(series, ['booked', 'none']);
  assert.deepEqual(columns, ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']);
  assert.deepEqual(
    [...days],
    [
      ['2026-01-01', { none: 1, booked: 2 }],
      ['2026-01-03', { booked: 4 }],
    ],
  );
  assert.deepEqual(daysOf([group('2026-01-01', null, 3)], '2026-01-01', '2026-01-02').series, []);
  const one = [group('2026-01-02', 'booked', 1)];
  assert.deepEqual(daysOf(one, '', '2026-01-03').columns, ['2026-01-02', '2026-01-03']);
  const long = daysOf(one, '2020-01-01', '2026-01-03').columns;
  assert.deepEqual([long.length, long.at(-1)], [400, '2026-01-03']);
  const many = Array.from({ length: 10 }, (_, at) => group('2026-01-01', `v${at}`, 10 - at));
  const more = daysOf(many, '2026-01-01', '2026-01-02');
  assert.deepEqual(more.series, ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', OTHERS]);
  assert.equal(more.days.get('2026-01-01')?.[OTHERS], 3 + 2 + 1);
});
