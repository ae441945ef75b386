/** Finds out who does not want to be called any more: in calls, and in tests of agents. */
import { RE2JS } from 're2js';
import stored from './data/opt-out-phrases.json' with { type: 'json' };

const LISTS = ['begins', 'requests', 'first', 'says', 'asides', 'unless', 'whole'] as const;

type Stored = Record<(typeof LISTS)[number], string[]> & { parts: Record<string, string> };

interface Language {
  match: RE2JS;
  asides: RE2JS;
  unless: RE2JS;
  whole: RE2JS;
}

/** Characters of a line that are read: who speaks longer without a pause has said it in the first ones, or again. */
const READ = 8_000;
/** Sounds that say nothing, with the commas around them. "er" and "um" are words in German: only before a comma. */
const FILLERS =
  /[,\s]{0,3}(?<!\p{L})(?:(?:e+r+|u+m+)(?=,)|u+h+m*|u+m{2,}|u{2,}m+|e+r+m+|h+m+|a+h+m+|ä+h+m*|e+h+m*|e+u+h+)(?!\p{L})[,\s]{0,3}/giu;
const SENTENCES = /[.!?;:…¿¡\n]+/;
const CLAUSES = /[,–—]+/;

let languages: Language[] | undefined;

/** One pattern for each use, of an engine whose time is linear in the length of a line: callers choose the lines. */
function compile({ parts, ...lists }: Stored): Language {
  const filled = (text: string): string =>
    text.replace(/\{([a-z]+)\}/g, (whole, name: string) => (parts[name] === undefined ? whole : filled(parts[name])));
  const anyOf = (list: (typeof LISTS)[number]) => `(?:${lists[list].map(filled).join('|')})`;
  const start = '(?:^| )';
  const requests = `(?:^|${start}${anyOf('begins')} )${anyOf('requests')}`;
  return {
    match: RE2JS.compile(`(?:${requests}|^${anyOf('first')}|${start}${anyOf('says')})(?: |$)`),
    asides: RE2JS.compile(`${start}${anyOf('asides')}(?: |$)`),
    unless: RE2JS.compile(`${start}${anyOf('unless')}`),
    whole: RE2JS.compile(`${start}${anyOf('whole')}(?: |$)`),
  };
}

/**
 * Whether somebody asks in this line not to be called any more: in English, Spanish, German or French, whatever the
 * language of the agent. A negation, a question, somebody else's calls, and a wish for another time are no such
 * request; when in doubt it is none, as the agent can still notice it. Takes time that is linear in the length.
 */
export function asksToStop(line: string): boolean {
  const heard = line.slice(0, READ).replace(FILLERS, ' ');
  // Commas separate what belongs together in German, and keep apart what does not in English.
  const texts = heard.split(SENTENCES).flatMap((sentence) => [...new Set([sentence, ...sentence.split(CLAUSES)])]);
  const words = texts.map(wordsOf).filter(Boolean);
  // Compiling takes as long as the rest of a start, and few processes read transcripts at once.
  languages ??= Object.values<Stored>(stored.languages).map(compile);
  return languages.some(
    (language) => words.some((text) => saysStop(text, language)) && !language.whole.test(wordsOf(heard)),
  );
}

function saysStop(text: string, { match, asides, unless }: Language): boolean {
  const texts = asides.test(text) ? asides.matcher(text).replaceAll('\n').split('\n') : [text];
  return texts.some((one) => match.test(one) && !unless.test(one));
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
