import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** Sentences that the local recognizer was measured to understand, at both rates. */
const understood = [...read('docs/speech.md').matchAll(/^\* (.+)$/gm)].map(([, sentence = '']) => sentence);
const SAID = /\bspeak\('([^']+)'/g;

test('what callers say in the demo and in tests is among what is always understood', () => {
  const [, demo = ''] = /const SENTENCES = \[(.*?)\];/s.exec(read('demo/talk.ts')) ?? [];
  const tests = globSync('e2e/**/*.test.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(SAID)].map(([, phrase = '']) => phrase),
  );
  const phrases = [...demo.matchAll(/'([^']+)'/g)].map(([, phrase = '']) => phrase).concat(tests);
  assert.ok(understood.length > 50 && phrases.length > 10, `${understood.length}, ${phrases.length}`);
  assert.deepEqual(
    [...new Set(phrases)].filter((phrase) => !understood.includes(phrase)),
    [],
  );
});
