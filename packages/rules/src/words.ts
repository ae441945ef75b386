/** Words that say nothing about the subject of a sentence. */
const FUNCTION_WORDS = new Set(
  `a about am an and any are as at be been being but by can could did do does doing for from get had has have having how i
  i'd i'm if in into is it it's its just know let like may me might my need of on or our please shall she should so
  some tell than that that's the their them then there these they this those to too up us was we were what what's when where
  which who whose why will with would yes you your yours ok okay hello hi well also much many long far want today
  tomorrow somebody anybody someone anyone here`
    .split(/\s+/)
    .filter(Boolean),
);

/** Stems that mean the same to somebody who asks. The first of each line stands for all. */
const SYNONYMS = new Map(
  [
    'open hour opening',
    'close closed closing shut',
    'cost price fee charge pay expensive',
    'address locate location situated find',
    'phone telephone number',
    'park parking car',
    'internet wifi wi-fi wireless',
    'book reserve reservation appointment',
    'child kid',
    'email mail e-mail',
    'bring return',
    'save leave record',
  ].flatMap((line) => line.split(' ').map((word, _, [first = '']): [string, string] => [stem(word), stem(first)])),
);

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const HOLIDAYS = ['christmas', 'easter', 'thanksgiving', 'halloween'];

/** Lower-case words of a text, with digits. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}]+)*/gu) ?? []
  );
}

/** A word without its English ending. */
function stem(word: string): string {
  const base = word.replace(/'s$/, '').replace(/ies$/, 'y');
  const cut = base.replace(/(?<=\w{3})(?:ing|ed|es|s)$/, '');
  return cut.replace(/(.)\1$/, '$1').replace(/(?<=\w{3})e$/, '');
}

/** The stems of the words that carry meaning; synonyms are one stem. */
export function meaningOf(text: string): Set<string> {
  const carrying = wordsOf(text).filter((word) => !FUNCTION_WORDS.has(word));
  return new Set(carrying.map(stem).map((one) => SYNONYMS.get(one) ?? one));
}

/** The days and months that a text names or includes: "Monday to Wednesday" includes Tuesday. */
export function datesIn(text: string, now = new Date()): Set<string> {
  const words = wordsOf(text).map((word) => (HOLIDAYS.includes(word) ? word : word.replace(/s$/, '')));
  const named = new Set(words.filter((word) => [...DAYS, ...MONTHS, ...HOLIDAYS].includes(word)));
  for (const [ahead, name] of ['today', 'tomorrow'].entries())
    if (words.includes(name)) named.add(DAYS[(now.getDay() + 6 + ahead) % DAYS.length] ?? '');
  if (words.includes('weekend')) for (const day of DAYS.slice(5)) named.add(day);
  if (words.includes('weekday')) for (const day of DAYS.slice(0, 5)) named.add(day);
  if (/\b(?:every day|daily|all week|seven days)\b/i.test(text)) for (const day of DAYS) named.add(day);
  for (const [index, word] of words.entries()) {
    const [first, last] = [DAYS.indexOf(words[index - 1] ?? ''), DAYS.indexOf(words[index + 1] ?? '')];
    if (!['to', 'through', 'until', 'till'].includes(word) || first < 0 || last < 0) continue;
    for (let day = first; day !== last; day = (day + 1) % DAYS.length) named.add(DAYS[day] ?? '');
  }
  return named;
}
