import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createImporting } from '../../src/calling/campaigns/importing.ts';
import { csvLines, type Line } from '../../src/calling/campaigns/lines.ts';
import { MAX_LINES } from '../../src/calling/campaigns/recipient-schema.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { LIMITS, outreach } from '../support/campaigns.ts';

const CSV = { 'content-type': 'text/csv' };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const service = await startService({ env: LIMITS });
const { ok, create, add, recipients } = await outreach(service);

const path = (id: string) => `/api/campaigns/${id}/recipients`;
const person = (n: number) => `+1500555${1000 + n}`;

/** Reads a file that comes in parts of so many bytes: its lines, each with its number. */
async function read(file: Buffer, size = file.length) {
  async function* parts() {
    for (let from = 0; from < file.length; from += size) yield file.subarray(from, from + size);
  }
  const found: [number, unknown][] = [];
  for await (const { line, value, problem } of csvLines(parts())) found.push([line, problem ?? value]);
  return found;
}

test('a file that is cut short says so, however many lines were refused before', async () => {
  const id = await create();
  const wrong = Array.from({ length: 150 }, () => 'x,Ada');
  for (const [number, last, msg] of [
    [1, '"Ada', 'Quotes should surround a whole cell; the file is not read any further'],
    [2, 'x'.repeat(70_000), 'A line should have 64 KiB at most; the file is not read any further'],
  ] as const) {
    const file = ['phone_number,name', ...wrong, `${person(number)},Ada`, `+15005550100,${last}`, `${person(9)},Ben`];
    const answer = await ok('POST', path(id), file.join('\n'), CSV);
    assert.deepEqual([answer.added, answer.refused, answer.stopped_at_line], [1, 151, 153], msg);
    assert.deepEqual([answer.refusals.length, answer.refusals.at(-1)], [101, { line: 153, field: null, msg }]);
  }
  const whole = await ok('POST', path(id), `phone_number\n${person(3)}\nx`, CSV);
  assert.deepEqual([whole.added, whole.refused, whole.stopped_at_line], [1, 1, null]);
  assert.equal((await ok('POST', path(id), 'name\nAda', CSV)).stopped_at_line, 1);
});

test('a file of more lines than are taken says where it was left', async () => {
  async function* lines(): AsyncGenerator<Line> {
    for (let line = 1; line <= MAX_LINES + 2; line++) yield { line, value: null, problem: 'x' };
  }
  const importing = createImporting({
    clock: systemClock,
    campaigns: { findOwn: async () => null },
    wake: () => {},
  } as never);
  const from = { user_id: 'user-1', id: '', lines: lines(), admit: async () => {} };
  const { refused, refusals, stopped_at_line } = await importing.add(from, {} as never);
  assert.deepEqual([refused, refusals.length, stopped_at_line], [MAX_LINES + 1, 101, MAX_LINES + 1]);
  const msg = 'A file should have 1000000 lines at most; the file is not read any further';
  assert.deepEqual(refusals.at(-1), { line: MAX_LINES + 1, field: null, msg });
});

test('lines before the one that ends a file are read, in whatever parts it comes', async () => {
  const rows = ['phone_number,name', `${person(1)},Jürgen`, `${person(2)},日本`];
  const taken = [
    [2, { phone_number: person(1), variables: { name: 'Jürgen' } }],
    [3, { phone_number: person(2), variables: { name: '日本' } }],
  ];
  const latin = Buffer.from(`${person(3)},José`, 'latin1');
  const head = Buffer.from(`${rows.join('\n')}\n`);
  const stop = (msg: string) => [4, `${msg}; the file is not read any further`];
  for (const size of [1, 7, 100_000]) {
    assert.deepEqual(await read(head, size), taken);
    // Bytes of another encoding: within the file, at its end, and within a cell of two lines.
    for (const end of [
      Buffer.concat([latin, Buffer.from(`\n${person(4)},Ada\n`)]),
      latin,
      Buffer.concat([Buffer.from(`${person(3)},"Ada\n`), latin, Buffer.from('"\n')]),
    ])
      assert.deepEqual(await read(Buffer.concat([head, end]), size), [...taken, stop('Text should be UTF-8')]);
    const long = Buffer.from(`${person(3)},${'x'.repeat(70_000)}\n`);
    if (size > 1)
      assert.deepEqual(await read(Buffer.concat([head, long]), size), [
        ...taken,
        stop('A line should have 64 KiB at most'),
      ]);
    // As spreadsheets save it, with its mark.
    assert.deepEqual(await read(Buffer.from(`\uFEFF${rows.join('\r\n')}`, 'utf16le'), size), taken);
    assert.deepEqual(await read(Buffer.from(`\uFEFF${rows.join('\r\n')}`), size), taken);
  }
});

test('empty lines are lines of the file', async () => {
  const file = ['phone_number,name', '', '', `${person(1)},Ada`, '', `${person(2)},"Ada`, 'Ben"', '', ' ', ''];
  const taken = [
    [4, { phone_number: person(1), variables: { name: 'Ada' } }],
    [7, { phone_number: person(2), variables: { name: 'Ada\nBen' } }],
  ];
  const [text, long] = ['Text should be UTF-8', 'A line should have 64 KiB at most'];
  for (const [end, msg] of [
    [`${person(3)},"Ada\n\nBen`, 'Quotes should surround a whole cell'],
    [`${person(3)},"Ada\n\n${'x'.repeat(70_000)}"\n`, long],
    [`${person(3)},${'x'.repeat(70_000)}\n`, long],
    [`${person(3)},José\n`, text],
    [`${person(3)},"Ada\n\nJosé"\n`, text],
  ] as const)
    for (const size of [7, 100_000]) {
      const whole = Buffer.from([...file, end].join('\n'), 'latin1');
      const stop = [11, `${msg}; the file is not read any further`];
      assert.deepEqual(await read(whole, size), [...taken, stop], end.slice(0, 30));
    }
});

test('a file in another encoding than UTF-8 is refused from its first other line on, and nothing is corrupted', async () => {
  const id = await create();
  const file = Buffer.from(`phone_number,name\n${person(1)},Ada\n${person(2)},José\n${person(3)},Ben`, 'latin1');
  const headers = { ...CSV, 'x-user-id': USER };
  const response = await fetch(`${service.url}${path(id)}`, { method: 'POST', headers, body: file });
  const answer = (await response.json()) as Awaited<ReturnType<typeof ok>>;
  assert.deepEqual([answer.added, answer.refused, answer.stopped_at_line], [1, 1, 3]);
  assert.equal(answer.refusals[0].msg, 'Text should be UTF-8; the file is not read any further');
  assert.equal((await recipients(id)).length, 1);
});

test('a JSON line with a number that would lose digits is refused, with its field, and the others are taken', async () => {
  const id = await create();
  const line = (n: number, field: string, number: string) =>
    `{"phone_number":"${person(n)}","${field}":{"order":${number}}}`;
  const file = [
    line(1, 'variables', '9007199254740993'),
    line(2, 'variables', '9007199254740992'),
    line(3, 'metadata', '1e-400'),
    line(4, 'metadata', '"9007199254740993"'),
    '9007199254740993',
  ];
  const answer = await ok('POST', path(id), file.join('\n'), NDJSON);
  const msg = 'Input should be a number that a double can hold; send it as a string to keep all its digits';
  assert.deepEqual(answer.refusals, [
    { line: 1, field: 'variables.order', msg },
    { line: 3, field: 'metadata.order', msg },
    { line: 5, field: null, msg },
  ]);
  const [second, fourth] = await recipients(id);
  assert.equal((await ok('GET', `${path(id)}/${second.id}`)).variables.order, 9007199254740992);
  assert.equal((await ok('GET', `${path(id)}/${fourth.id}`)).metadata.order, '9007199254740993');
});

test('an import says how many consents it has added: those of people who are there already are not', async () => {
  const id = await create();
  const consent = { kind: 'written', text: 'Yes.', obtained_at: '2026-01-15T09:30:00.000Z', channel: 'web form' };
  await add(id, [{ phone_number: person(1) }]);
  const answer = await add(id, [
    { phone_number: person(1), consent },
    { phone_number: person(2), consent },
    { phone_number: person(3) },
  ]);
  assert.deepEqual([answer.added, answer.known, answer.consents_added], [2, 1, 1]);
});
