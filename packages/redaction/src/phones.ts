import { type CountryCode, findPhoneNumbersInText, isSupportedCountry } from 'libphonenumber-js/max';
import type { Atom } from './atoms.ts';
import type { Place } from './cards.ts';
import type { Run } from './runs.ts';

/** The country of a language that names none. */
const COUNTRIES = new Map<string, CountryCode>([
  ['en', 'US'],
  ['ja', 'JP'],
  ['zh', 'CN'],
  ['ko', 'KR'],
  ['da', 'DK'],
  ['sv', 'SE'],
  ['cs', 'CZ'],
  ['el', 'GR'],
  ['uk', 'UA'],
  ['he', 'IL'],
]);
const PLUS = new Set(['+', 'plus', 'mas']);
/** Numbers that are none of a phone: what they belong to, and words that are ordinary ones without "number". */
const NAMES =
  'order invoice ticket tracking reference booking confirmation account article serial ' +
  'bestellnummer bestellung rechnung rechnungsnummer kundennummer vorgangsnummer auftragsnummer sendungsnummer ' +
  'pedido factura referencia reserva seguimiento ' +
  'commande facture dossier suivi reservation';
const NUMBER = String.raw`numbers?|id|code|(?:no|nr|num|n)(?: \.)?|numero|nummer|#`;
/** Words and marks between a name and its number. */
const LINKS = [
  NUMBER,
  String.raw`(?:with|con|mit|avec)(?= (?:\w+ )?(?:${NUMBER}) )`,
  'is|was|are|has|es|son|ist|sind|war|lautet|hat|est|etait',
  'the|el|la|der|die|le',
  `[:="'_°(]`,
].join('|');
/** Pauses behind these. Right behind a name they begin something else: "for my order, 202…". */
const PAUSES = ',|…|uh|um|er|eh|ah|ahm|euh';
const NAMED = new RegExp(
  ` (?:(?:${NAMES.replaceAll(' ', '|')})(?:s|n|en)?|(?:case|item) (?:${NUMBER}))` +
    `(?:(?: (?:${LINKS}))+(?: (?:${PAUSES}))*)? $`,
);
/** Atoms before a number in which its name is. */
const NEAR = 8;

/** Amounts, like 1.234.567 and 19,90: no phone beside others, however many digits they have together. */
const AMOUNT = /(?<![\d.,])(?:(?:[1-9]\d?|[1-5]\d\d)(?:[.,]\d{3}){2}|\d{1,4}[.,]\d\d)(?![.,]?\d)/;

/** The country whose national numbers a language's speakers say: that of its region, if it has one. */
export function countryOf(language: string | null | undefined): CountryCode {
  const [tongue = 'en', ...others] = (language ?? 'en').split(/[-_]/);
  const region = others.map((one) => one.toUpperCase()).find((one) => one.length === 2 && isSupportedCountry(one));
  const known = (region ?? COUNTRIES.get(tongue.toLowerCase()) ?? tongue.toUpperCase()) as CountryCode;
  return isSupportedCountry(known) ? known : 'US';
}

/** Phone numbers in a run of a line. */
export function phonesIn(atoms: readonly Atom[], run: Run, text: string, country: CountryCode): Place[] {
  const plus = atoms[run.before];
  const isInternational = plus !== undefined && PLUS.has(plus.value);
  if (!isInternational && (isOther(atoms, run) || (run.whole && AMOUNT.test(textOf(run, text))))) return [];
  const { written, places } = isPlain(run) ? asWritten(run, text, isInternational) : asDigits(run, isInternational);
  const found: Place[] = [];
  for (const { startsAt, endsAt } of findPhoneNumbersInText(written, country)) {
    const [first, last] = [places[startsAt], places[endsAt - 1]];
    if (first && last)
      found.push({ from: isInternational && startsAt === 0 ? (plus?.from ?? 0) : first.from, to: last.to });
  }
  return found;
}

/** Whether the words just before say that it is the number of something else, or of several that are written alike. */
function isOther(atoms: readonly Atom[], run: Run): boolean {
  const { whole = run } = run;
  return isNamed(atoms, whole) && shapeOf(whole).startsWith(shapeOf(run));
}

const shapeOf = ({ atoms }: Run): string => atoms.map(({ value }) => `${value.length} `).join('');

function isNamed(atoms: readonly Atom[], { before, gaps }: Run): boolean {
  // An area code in parentheses.
  if (gaps[0]?.startsWith(')')) return false;
  const words = atoms.slice(Math.max(0, before + 1 - NEAR), before + 1).map(({ value }) => `${value} `);
  return NAMED.test(` ${words.join('')}`);
}

const textOf = ({ atoms }: Run, text: string): string => text.slice(atoms[0]?.from, atoms.at(-1)?.to);

/** Whether it is written as phone numbers are. */
function isPlain({ atoms, gaps }: Run): boolean {
  return !atoms.some(({ isSpoken }) => isSpoken) && !gaps.some((gap) => /[^()\-.]/.test(gap));
}

/** The library reads the grouping too. */
function asWritten({ atoms }: Run, text: string, isInternational: boolean) {
  const [from, to] = [(atoms[0] as Atom).from, (atoms.at(-1) as Atom).to];
  const open = text[from - 1] === '(' ? from - 1 : from;
  const written = (isInternational ? '+' : '') + text.slice(open, to).replaceAll('\n', ' ');
  const shift = open - (isInternational ? 1 : 0);
  return { written, places: Array.from(written, (_, index) => ({ from: index + shift, to: index + shift + 1 })) };
}

function asDigits({ atoms }: Run, isInternational: boolean) {
  const places = atoms.flatMap(({ value, from, to }) => Array.from(value, () => ({ from, to })));
  const plus = isInternational ? places.slice(0, 1) : [];
  return {
    written: (isInternational ? '+' : '') + atoms.map(({ value }) => value).join(''),
    places: [...plus, ...places],
  };
}
