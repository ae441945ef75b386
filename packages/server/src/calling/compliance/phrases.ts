import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Language {
  match: RegExp[];
  unless: RegExp[];
}

/** Characters of a line that are read: who speaks longer without a pause has said it in the first ones, or again. */
const READ = 8_000;
/** Sounds that say nothing, with the commas around them. */
const FILLERS = /[,\s]*(?<!\p{L})(?:u+h+m*|u+m+|e+r+m*|h+m+|a+h+m+|ä+h+m*|e+h+m*|e+u+h+)(?!\p{L})[,\s]*/giu;
const SENTENCES = /[.!?;:…¿¡\n]+/;
const CLAUSES = /[,–—]+/;

const languages = read();

function read(): Language[] {
  const file = path.join(import.meta.dirname, 'data', 'opt-out-phrases.json');
  const stored: { languages: Record<string, { match: string[]; unless: string[] }> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const whole = (patterns: string[]) => patterns.map((one) => new RegExp(`(?<=^| )(?:${one})(?= |$)`));
  return Object.values(stored.languages).map(({ match, unless }) => ({
    match: whole(match),
    unless: unless.map((one) => new RegExp(`(?<=^| )(?:${one})`)),
  }));
}

/**
 * Whether somebody asks in this line not to be called any more: in English, Spanish, German or French, whatever the
 * language of the agent. A negation, somebody else's calls, and a wish for another time are no such request.
 */
export function asksToStop(line: string): boolean {
  const sentences = line.slice(0, READ).replace(FILLERS, ' ').split(SENTENCES);
  // Commas separate what belongs together in German, and keep apart what does not in English.
  return sentences.some((sentence) => [sentence, ...sentence.split(CLAUSES)].some(saysStop));
}

function saysStop(text: string): boolean {
  const words = wordsOf(text);
  if (words === '') return false;
  return languages.some(
    ({ match, unless }) => match.some((one) => one.test(words)) && !unless.some((one) => one.test(words)),
  );
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`´]/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
