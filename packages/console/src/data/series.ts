/** Colors of series in the style sheets, and the color of the rest. */
const COLORS = 8;
/** Name for series that are not plotted separately. */
export const OTHERS = 'Others';

/** Providers that often appear together have fixed colors. */
const USUAL = new Map([
  ['openai', 1],
  ['deepgram', 6],
  ['cartesia', 3],
  ['twilio', 5],
  ['anthropic', 2],
  ['elevenlabs', 7],
  ['livekit', 0],
  ['google', 4],
]);
/** Colors assigned since the console was opened, by name. */
const given = new Map<string, number>();

/**
 * The class of each series. A name has the same color on every page, and after a reload; two names in one chart share
 * a color only if there are more names than colors.
 */
export function seriesClasses(names: string[]): Map<string, string> {
  const taken = new Set<number>();
  const sorted = names.filter((name) => name !== OTHERS).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const classes = new Map<string, string>([[OTHERS, 'series-others']]);
  for (const name of sorted) {
    const color = firstFree(given.get(name) ?? USUAL.get(name) ?? hash(name), taken);
    taken.add(color);
    if (!given.has(name)) given.set(name, color);
    classes.set(name, `series-${color}`);
  }
  return classes;
}

/** Names that already have a color keep it; the others get the remaining ones. */
const rank = (name: string) => (given.has(name) ? 0 : USUAL.has(name) ? 1 : 2);

function firstFree(wanted: number, taken: Set<number>): number {
  if (taken.size >= COLORS) return wanted;
  let color = wanted;
  while (taken.has(color)) color = (color + 1) % COLORS;
  return color;
}

function hash(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return sum % COLORS;
}
