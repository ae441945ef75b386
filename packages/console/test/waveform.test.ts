import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentsOf, outlineOf } from '../src/data/waveform.ts';

const levels = (text: string) => [...text].map((one) => (one === '#' ? 200 : one === '.' ? 40 : 0));
const sides = (agent: string, others: string) => [
  { side: 'agent' as const, levels: levels(agent) },
  { side: 'others' as const, levels: levels(others) },
];

test('it is told where both speak, and where nobody does', () => {
  const talked = { interval_ms: 1000, sides: sides('###    .  ##', '  ###..    #') };
  assert.deepEqual(momentsOf(talked), {
    overlaps: [
      { from_ms: 2000, to_ms: 3000 },
      { from_ms: 11_000, to_ms: 12_000 },
    ],
    silences: [{ from_ms: 5000, to_ms: 10_000 }],
  });
  // A pause for thought, and a word into a sentence.
  const short = { interval_ms: 100, sides: sides(`${'#'.repeat(30)}${' '.repeat(20)}`, '   ##   ') };
  assert.deepEqual(momentsOf(short), { overlaps: [], silences: [] });
});

test('a recording of one channel has no overlaps, and one without levels has nothing', () => {
  const mono = { interval_ms: 1000, sides: [{ side: 'both' as const, levels: levels('#   #') }] };
  assert.deepEqual(momentsOf(mono), { overlaps: [], silences: [{ from_ms: 1000, to_ms: 4000 }] });
  assert.deepEqual(momentsOf({ interval_ms: 100, sides: [] }), { overlaps: [], silences: [] });
});

test('the outline of a side begins and ends in the middle', () => {
  assert.equal(outlineOf([0, 255, 51], 50, -40), 'M0 50V50H1V10H2V42H3V50Z');
  assert.equal(outlineOf([], 50, -40), '');
});
