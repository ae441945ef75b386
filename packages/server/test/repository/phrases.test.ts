import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
/** Sentences that the local recognizer was measured to understand, at both rates. */
const understood = [...read('docs/speech.md').matchAll(/^\* (.+)$/gm)].map(([, sentence = '']) => sentence);
const SAID = /\bspeak\('([^']+)'/g;
const NAMED = /\bspeak\(([A-Z_]+)\)/g;
/** Phrases that need not be understood to the last word: greetings of machines, and one with the words of a tool. */
const ROUGHLY = ['MACHINE', 'MAILBOX', 'Please take my account number.'];

test('what callers say in the demo and in tests is among what is always understood', () => {
  const [, demo = ''] = /const SENTENCES = \[(.*?)\];/s.exec(read('demo/talk.ts')) ?? [];
  const tests = globSync('e2e/**/*.test.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(SAID)].map(([, phrase = '']) => phrase).concat(named(read(file))),
  );
  const phrases = [...demo.matchAll(/'([^']+)'/g)].map(([, phrase = '']) => phrase).concat(tests);
  assert.ok(understood.length > 50 && phrases.length > 10, `${understood.length}, ${phrases.length}`);
  assert.deepEqual(
    [...new Set(phrases)].filter((phrase) => !understood.includes(phrase)),
    [],
  );
});

/** The texts of constants that are spoken. */
function named(text: string): string[] {
  const names = [...text.matchAll(NAMED)].map(([, name = '']) => name);
  const texts = names.map((name) => new RegExp(`\\b${name} =\\s+'([^']+)'`).exec(text)?.[1] ?? name);
  return texts.filter((phrase, index) => ![phrase, names[index]].some((one = '') => ROUGHLY.includes(one)));
}
