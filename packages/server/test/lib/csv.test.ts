import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHeader, csvRecord, withoutGuard } from '../../src/lib/csv.ts';
import { InvalidCsv, readCsv } from '../../src/lib/csv-read.ts';

const COLUMNS = { name: 'text', amount: 'number' } as const;
const nameCell = (name: unknown) => csvRecord({ name: 'text' }, { name }).slice(0, -2);

test('a record has its fields in the order of the columns and ends with CRLF', () => {
  assert.equal(csvHeader(COLUMNS), 'name,amount\r\n');
  assert.equal(csvRecord(COLUMNS, { amount: '0.5', other: 1, name: 'openai' }), 'openai,0.5\r\n');
  assert.equal(csvRecord(COLUMNS, { name: null }), ',\r\n');
  assert.equal(nameCell(new Date('2026-01-15T09:30:00Z')), '2026-01-15T09:30:00.000Z');
});

test('what would break a record is quoted', () => {
  assert.equal(nameCell('a,b'), '"a,b"');
  assert.equal(nameCell('a "b"'), '"a ""b"""');
  assert.equal(nameCell('a\r\nb'), '"a\r\nb"');
  assert.equal(nameCell('a;b\tc'), '"a;b\tc"');
  assert.equal(nameCell(' a '), '" a "');
});

test('text that a spreadsheet would take for a formula begins with an apostrophe', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠A'])
    assert.equal(nameCell(text), `'${text}`);
  for (const text of [' =1+1', '\u00a0=1']) assert.equal(nameCell(text), `'${text}`);
  for (const text of ['\t=1', '\rx', '\nx', '\tx']) assert.equal(nameCell(text), `"'${text}"`);
  assert.equal(nameCell('=HYPERLINK("http://example.com";"a")'), `"'=HYPERLINK(""http://example.com"";""a"")"`);
  for (const text of ['a=1', 'e-mail', "it's", "'quoted'", '']) assert.equal(nameCell(text), text);
});

test('text is what it was once its guard is taken away, with apostrophes of its own too', () => {
  for (const text of ['=1', "'=1", "''=1", "'+49", "'", "it's", "'quoted'"])
    assert.equal(withoutGuard(nameCell(text)), text);
  assert.equal(nameCell("'=1"), "''=1");
});

test('a negative number stays a number', () => {
  assert.equal(csvRecord(COLUMNS, { name: '-1', amount: '-1' }), "'-1,-1\r\n");
});

test('a line with more cells than any file has is refused before it is parsed', () => {
  const columns = { known: ['name'], required: ['name'], ignored: [] };
  const refusal = (text: string) => {
    try {
      return readCsv(text, columns).records.length;
    } catch (error) {
      assert.ok(error instanceof InvalidCsv);
      return error.message;
    }
  };
  assert.equal(refusal(`name\r\n${','.repeat(900_000)}`), 'line 2: A line should have 50 cells at most');
  assert.equal(refusal(`${','.repeat(50)}\nname`), 'line 1: A line should have 50 cells at most');
  assert.equal(refusal(`name\r\r\n\n"a\nb"\n${','.repeat(50)}`), 'line 6: A line should have 50 cells at most');
  assert.equal(refusal(`name\n${','.repeat(49)}`), 1);
  // Commas of a cell, and those of many lines, are not many cells.
  assert.equal(refusal(`name\n"${','.repeat(900)} ""quoted"" ${','.repeat(900)}"`), 1);
  assert.equal(refusal(`name\n${'a,\n'.repeat(100)}`), 100);
});
