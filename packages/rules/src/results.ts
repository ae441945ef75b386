import { meaningOf } from './words.ts';

/** "# Never" and the items below it. */
const FORBIDDEN = /^#+ *never\b.*\n((?:[ \t]*[-*] .*\n?)+)/gim;
const NOT_TO_SAY = /^\s*(?:[-*] )?(?:never )?(?:say|tell|give out|mention|read out) ([^.:]+)/i;
/** "A tracking number only if they ask." */
const ON_REQUEST = /(?:^|[.:;] )(?:an? |the )?([\w ]+?) only if (?:they|the caller|you are) asks?(?:ed)?\b/gim;

const SORRY = 'I am sorry, that did not work.';
/** JSON that ends too early is nothing to read out. */
const BROKEN = /^\s*[[{]/;

/** A tool's result, as a sentence: without fields that the instructions forbid to say, or only allow on request. */
export function afterTool(result: string, instructions: readonly string[], asked: string): string {
  if (/\b(error|failed|refused)\b/i.test(result)) return SORRY;
  const forbidden = new Set(instructions.flatMap(forbiddenIn));
  const onRequest = instructions
    .flatMap((text) => [...text.matchAll(ON_REQUEST)].map(([, name = '']) => meaningOf(name)))
    .filter((name) => ![...name].every((word) => meaningOf(asked).has(word)));
  const isWithheld = (field: string) => {
    const name = [...meaningOf(field.replaceAll('_', ' '))];
    return forbidden.has(name.at(-1) ?? '') || onRequest.some((words) => isSame(words, name));
  };
  const value = parse(result);
  if (value === null && result !== 'null') return SORRY;
  const said = sentenceOf(value, isWithheld);
  return said ? (/[.!?]$/.test(said) ? said : `${said}.`) : 'That is done.';
}

/** Words that instructions forbid to say: "Never say a name", or "Say a name" below the heading "Never". */
function forbiddenIn(text: string): string[] {
  const below = [...text.matchAll(FORBIDDEN)].flatMap(([, items = '']) => items.split('\n'));
  const sentences = text.split(/(?<=[.!?])\s+|\n/).filter((sentence) => /^\s*(?:[-*] )?never /i.test(sentence));
  return [...below, ...sentences].flatMap((one) => [...meaningOf(NOT_TO_SAY.exec(one)?.[1] ?? '')]);
}

const isSame = (words: ReadonlySet<string>, name: readonly string[]) =>
  words.size === name.length && name.every((word) => words.has(word));

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // In a call, text that is no JSON comes as a JSON string.
    return typeof value === 'string' && BROKEN.test(value) ? parse(value) : value;
  } catch {
    return BROKEN.test(text) ? null : text;
  }
}

function sentenceOf(value: unknown, isWithheld: (name: string) => boolean): string {
  if (typeof value !== 'object' || value === null) return value == null ? '' : String(value).trim();
  if (Array.isArray(value))
    return value
      .map((one) => sentenceOf(one, isWithheld))
      .filter(Boolean)
      .join(', ');
  const fields = Object.entries(value).filter(
    ([name, field]) => field !== null && field !== '' && field !== true && !isWithheld(name),
  );
  return fields.map(([name, field]) => `${name.replaceAll('_', ' ')}: ${sentenceOf(field, isWithheld)}`).join(', ');
}
