import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessField, readHead, withNames } from '../src/data/recipient-file.ts';

const file = (text: string) => new Blob([text]);

test('the columns and first entries of a file are read, whatever its quotes, line ends and marks', async () => {
  const head = await readHead(
    file('\uFEFFName, "Mobile ""work""" ,Id\r\n\r\n"Lovelace, Ada",+15005561001,1\r\n"two\nlines",,2\n,,3'),
  );
  assert.ok(head);
  assert.deepEqual(head.names, ['Name', 'Mobile "work"', 'Id']);
  assert.deepEqual(head.rows, [
    ['Lovelace, Ada', '+15005561001', '1'],
    ['two\nlines', '', '2'],
    ['', '', '3'],
  ]);
});

test('a file without columns has no head', async () => {
  for (const text of ['', '\n\n', ' , ,\n']) assert.equal(await readHead(file(text)), null, JSON.stringify(text));
});

test('a heading in another encoding is refused: nobody could tell where it ends', async () => {
  const latin = new Blob([new Uint8Array([0x53, 0x74, 0x72, 0x61, 0xdf, 0x65]), ',Mobile\nA,+15005561001\n']);
  await assert.rejects(readHead(latin), /not UTF-8/);
});

test('only the names of the columns are replaced', async () => {
  const rest = '"Ada\r\nLovelace",+15005561001,ü\r\n"Grace",+15005561002,\r\n';
  for (const mark of ['', '\uFEFF']) {
    const whole = file(`${mark}Näme,Mobile,Notes\r\n${rest}`);
    const head = await readHead(whole);
    assert.ok(head);
    const sent = withNames(whole, head, ['say "hi"', 'phone_number', '']);
    assert.equal(await sent.text(), `"say ""hi""","phone_number",""\n${rest}`);
  }
});

test('usual names of columns are known, others become variables that a text may name', () => {
  const guessed = ['Phone Number', 'mobile', 'Customer ID', 'Time zone', 'region', 'First name', 'order.nr'].map(
    guessField,
  );
  assert.deepEqual(guessed, [
    'phone_number',
    'phone_number',
    'external_id',
    'time_zone',
    'region',
    'First_name',
    'order.nr',
  ]);
});
