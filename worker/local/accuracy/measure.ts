/**
 * How well recognizers understand synthetic voices: `npm run accuracy` writes docs/speech.md. Says a hundred sentences
 * in each voice, at 16 kHz and over a telephone line (8 kHz, G.711), and counts the words that are recognized wrongly.
 * Needs Debian's festival, festvox-us-slt-hts, festvox-kallpc16k, flite, espeak-ng and sox, and in OTHERS_PYTHON a
 * Python with requirements.txt.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Ears, openEars } from '../ears.ts';
import { findPython } from '../python.ts';
import { VOICE } from '../voice.ts';
import { errorsBetween, wordsOf } from './compare.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../docs/speech.md');
const [BEGIN, END] = ['<!-- measured -->', '<!-- /measured -->'];
const OTHERS = path.join(import.meta.dirname, 'others.py');
const sentences = readFileSync(path.join(import.meta.dirname, 'sentences.txt'), 'utf8')
  .trim()
  .split('\n');
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-accuracy-'));

type Say = (text: string, file: string) => void;
const festival =
  (voice: string): Say =>
  (text, file) => {
    execFileSync('text2wave', ['-eval', `(voice_${voice})`, '-o', file], { input: text });
  };
const flite =
  (voice: string): Say =>
  (text, file) => {
    execFileSync('flite', ['-voice', voice, '-t', text, '-o', file]);
  };
const VOICES: Record<string, Say> = {
  'Festival slt (HTS)': festival(VOICE),
  'Festival kal': festival('kal_diphone'),
  'Flite slt': flite('slt'),
  'Flite rms': flite('rms'),
  'espeak-ng en-us': (text, file) => {
    execFileSync('espeak-ng', ['-v', 'en-us', '-s', '165', '-w', file, text]);
  },
};
const BEST = 'Festival slt (HTS)';

/** Samples as they reach the recognizer: 16 kHz, possibly after a telephone line. */
const LINES: Record<string, (from: string, to: string) => void> = {
  '16 kHz': (from, to) => sox([from, '-r', '16000', '-c', '1', '-b', '16', to]),
  '8 kHz': (from, to) => {
    sox([from, '-r', '8000', '-c', '1', '-e', 'mu-law', `${to}.line.wav`]);
    sox([`${to}.line.wav`, '-r', '16000', '-e', 'signed-integer', '-b', '16', to]);
  },
};

// Louder samples than the format has are cut; sox would mention each.
const sox = (args: string[]): void => void execFileSync('sox', ['-V1', ...args]);

interface Result {
  wrong: number;
  words: number;
  understood: Set<string>;
}

async function measure(ears: Ears, say: Say, line: (from: string, to: string) => void): Promise<Result> {
  const result: Result = { wrong: 0, words: 0, understood: new Set() };
  for (const sentence of sentences) {
    const [spoken, received] = [path.join(dir, 'spoken.wav'), path.join(dir, 'received.wav')];
    say(sentence, spoken);
    line(spoken, received);
    const said = wordsOf(sentence);
    const wrong = errorsBetween(said, wordsOf(await ears.recognize(readFileSync(received))));
    result.wrong += wrong;
    result.words += said.length;
    if (wrong === 0) result.understood.add(sentence);
  }
  return result;
}

const rows: string[] = [];
const always = new Set(sentences);

async function add(recognizer: string, ears: Ears, voice: string): Promise<void> {
  const cells: string[] = [];
  for (const line of Object.values(LINES)) {
    const { wrong, words, understood } = await measure(ears, VOICES[voice] as Say, line);
    cells.push(`${((100 * wrong) / words).toFixed(1)} %`, `${understood.size}`);
    if (voice === BEST && recognizer.startsWith('Moonshine'))
      for (const sentence of sentences) if (!understood.has(sentence)) always.delete(sentence);
  }
  rows.push(`| ${voice} | ${recognizer} | ${cells.join(' | ')} |`);
  process.stdout.write(`${rows.at(-1)}\n`);
}

const moonshine = await openEars(findPython(process.env));
for (const voice of Object.keys(VOICES)) await add('Moonshine tiny', moonshine, voice);
moonshine.close();
const python = process.env.OTHERS_PYTHON;
for (const [name, script] of [
  ['Pocketsphinx 5', 'pocketsphinx'],
  ['Whisper tiny (int8)', 'whisper'],
] as const) {
  if (!python) break;
  const ears = await openEars(python, [OTHERS, script]);
  await add(name, ears, BEST);
  ears.close();
}
rmSync(dir, { recursive: true });
const table = `| Voice | Recognizer | 16 kHz: wrong words | understood | 8 kHz: wrong words | understood |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

The ${always.size} sentences that are understood at both rates, in the voice and by the recognizer that are used:

${[...always].map((sentence) => `* ${sentence}`).join('\n')}`;
const text = readFileSync(PAGE, 'utf8');
writeFileSync(PAGE, `${text.slice(0, text.indexOf(BEGIN))}${BEGIN}\n\n${table}\n\n${text.slice(text.indexOf(END))}`);
