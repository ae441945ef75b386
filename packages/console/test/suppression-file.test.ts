import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwitchboardError } from '@switchboard/client';
import { inParts, placeInFile } from '../src/data/suppression-file.ts';

const numbers = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `+1500${String(5_550_000 + first + index)}`);

test('a file is sent in parts of 5,000 entries, each with the heading', () => {
  const file = `phone_number\n${numbers(12_000).join('\n')}`;
  const parts = [...inParts(file)];
  assert.deepEqual(
    parts.map(({ entries, linesBefore }) => [entries, linesBefore]),
    [
      [5_000, 1],
      [5_000, 5_001],
      [2_000, 10_001],
    ],
  );
  const sent = parts.flatMap(({ text }) => {
    const [heading, ...rest] = text.trimEnd().split('\n');
    assert.equal(heading, 'phone_number');
    return rest;
  });
  assert.deepEqual(sent, numbers(12_000));
});

test('empty lines are no entries, and keep the numbers of those after them', () => {
  const file = `phone_number\r\n\r\n${numbers(5_000).join('\r\n\r\n')}\r\n+1\r\n`;
  const [first, second, ...others] = [...inParts(file)];
  assert.ok(first && second);
  assert.deepEqual(others, []);
  assert.equal(first.entries, 5_000);
  assert.deepEqual(second, { text: 'phone_number\r\n+1\r\n', entries: 1, linesBefore: 10_001 });
});

test('a line break within quotes ends no entry', () => {
  const [part, ...others] = [...inParts('phone_number,reason\n+15005550100,"as\nked"\n+15005550101,asked\n')];
  assert.deepEqual(others, []);
  assert.equal(part?.entries, 2);
});

test('a file without entries has no parts, and a quote that is never closed is one entry', () => {
  assert.deepEqual([...inParts('')], []);
  assert.deepEqual([...inParts('phone_number\n\n')], []);
  assert.deepEqual(
    [...inParts('phone_number\n"+1500')],
    [{ text: 'phone_number\n"+1500\n', entries: 1, linesBefore: 1 }],
  );
});

test('a quote that is never closed takes no longer than others, however many follow it', () => {
  const file = `phone_number,reason\n+15005550100,5" off\n${'"+15005550101","",""\n'.repeat(50_000)}`;
  const [part, ...others] = [...inParts(file)];
  assert.equal(others.length, 0);
  assert.equal(part?.entries, 1);
  assert.ok(part.text === file);
});

test('lines may end with carriage returns', () => {
  const file = `phone_number\r${numbers(5_001).join('\r')}\r`;
  const [first, second, ...others] = [...inParts(file)];
  assert.deepEqual(others, []);
  assert.equal(first?.entries, 5_000);
  assert.deepEqual(second, { text: 'phone_number\n+15005555000\n', entries: 1, linesBefore: 5_001 });
});

test('mistakes of a part name the lines of the file', () => {
  const problems = [
    { loc: ['body', 'line', 3, 'phone_number'], msg: 'wrong', type: 'x' },
    { loc: ['body'], msg: 'too long', type: 'x' },
  ];
  const error = new SwitchboardError('invalid_request', 'wrong', { status: 422, problems });
  const placed = placeInFile(error, { text: '', entries: 2, linesBefore: 5_001 });
  assert.ok(placed instanceof SwitchboardError);
  assert.deepEqual(
    placed.problems.map(({ loc }) => loc),
    [['body', 'line', 5_003, 'phone_number'], ['body']],
  );
});
