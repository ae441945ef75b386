/**
 * Whom the worker takes generated greetings for: `npm run greetings` in worker/ writes docs/telephony.md. Needs what
 * local speech needs (docs/speech.md). With --text, only the figures without sound, which the tests compare.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { initializeLogger } from '@livekit/agents';
import { openEars } from '../ears.ts';
import { findPython } from '../python.ts';
import { decideAll } from './decide.ts';
import { type Greeting, greetings } from './greetings.ts';
import { type Heard, heardInSound, heardInText } from './heard.ts';
import { byLanguage, byRendition, type Judged, matrix } from './table.ts';

export const PAGE = path.resolve(import.meta.dirname, '../../../docs/telephony.md');

/** The figures of all greetings as text. */
export async function textFigures(): Promise<string> {
  const judged = await judge(greetings(), heardInText);
  return [matrix(judged), byLanguage(judged), byRendition(judged)].join('\n\n');
}

/** The part of the page between two marks. */
export function placed(page: string, mark: string, figures: string): string {
  const part = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- /${mark} -->)`);
  if (!part.test(page)) throw new Error(`the page has no part ${mark}`);
  return page.replace(part, (_, begin: string, end: string) => `${begin}\n${figures}\n\n${end}`);
}

async function soundFigures(): Promise<string> {
  const ears = await openEars(findPython(process.env));
  const english = greetings().filter(({ language }) => language === 'en');
  const judged = await judge(english, (greeting) => heardInSound(greeting, ears));
  ears.close();
  return [matrix(judged), byRendition(judged)].join('\n\n');
}

async function judge(all: Greeting[], hear: (greeting: Greeting) => Heard[] | Promise<Heard[]>): Promise<Judged[]> {
  const heard: Heard[][] = [];
  for (const greeting of all) heard.push(await hear(greeting));
  const answers = await decideAll(heard);
  return all.map((greeting, index) => ({ ...greeting, takenFor: answers[index] ?? 'unknown' }));
}

if (import.meta.main) {
  initializeLogger({ pretty: false, level: 'error' });
  const text = placed(readFileSync(PAGE, 'utf8'), 'greetings', await textFigures());
  const isText = process.argv.includes('--text');
  writeFileSync(PAGE, isText ? text : placed(text, 'spoken greetings', await soundFigures()));
  // The library's speech detector keeps the process alive.
  process.exit();
}
