import type { AttemptLimit, ConsentRule, DialRules, DialWindow, Purpose } from '@switchboard/client';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const PURPOSES: readonly Purpose[] = ['marketing', 'service', 'emergency'];

/** Whom a rule is for; null: everybody. */
export interface Place {
  country: string | null;
  region: string | null;
}

interface ForWhom {
  country?: string;
  region?: string;
}

const COUNTRIES = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });

/** The name of a country by its code, `DE`; null for a code that is none. */
export function countryName(code: string): string | null {
  return /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? null) : null;
}

/** `United States, TX`; `Everybody` for a rule without a place. */
export function placeLabel({ country, region }: ForWhom | Place): string {
  if (!country) return 'Everybody';
  return [countryName(country) ?? country, region].filter(Boolean).join(', ');
}

/** The places that windows are for, each once: everybody first, countries before their regions. */
export function placesOf({ windows = [] }: DialRules): Place[] {
  const places = new Map<string, Place>();
  for (const { country = null, region = null } of windows)
    places.set(`${country ?? ''} ${region ?? ''}`, { country, region });
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
}

/** The windows for a place and a purpose: its own, otherwise those of its country, otherwise those for everybody. */
export function windowsFor({ windows = [] }: DialRules, { country, region }: Place, purpose: Purpose): DialWindow[] {
  const ours = windows.filter(({ purposes }) => purposes?.includes(purpose) ?? true);
  const at = (of: string | null, within: string | null) =>
    ours.filter((one) => (one.country ?? null) === of && (one.region ?? null) === within);
  return [at(country, region), at(country, null), at(null, null)].find((list) => list.length > 0) ?? [];
}

/** Minutes after midnight of `HH:MM`. */
function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

type Day = (typeof DAYS)[number];

/** Spans of a day in minutes after midnight, the earliest first; overlapping ones are one. */
export function spansOf(windows: DialWindow[], day: Day): { from: number; to: number }[] {
  const spans = windows
    .filter(({ days, from, to }) => days.includes(day) && minutesOf(from) < minutesOf(to))
    .map(({ from, to }) => ({ from: minutesOf(from), to: minutesOf(to) }))
    .sort((a, b) => a.from - b.from);
  const merged: { from: number; to: number }[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

export const spanText = ({ from, to }: { from: number; to: number }) => `${clock(from)}–${clock(to)}`;

const dayName = (day: Day) => `${day.charAt(0).toUpperCase()}${day.slice(1)}`;

/** The hours of a week in words: `Mon–Fri 09:00–18:00, Sat 10:00–14:00, Sun closed`. */
export function weekText(windows: DialWindow[]): string {
  const runs: { from: Day; to: Day; hours: string }[] = [];
  for (const day of DAYS) {
    const hours = spansOf(windows, day).map(spanText).join(' and ') || 'closed';
    const last = runs.at(-1);
    if (last?.hours === hours) last.to = day;
    else runs.push({ from: day, to: day, hours });
  }
  return runs
    .map(({ from, to, hours }) => `${dayName(from)}${from === to ? '' : `–${dayName(to)}`} ${hours}`)
    .join(', ');
}

/** Seconds in the largest unit that they are whole in: `4 hours`. */
export function gapText(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, name] = units.find(([of]) => seconds % of === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** Rules but for the windows, a sentence for each. */
export function sentencesOf(rules: DialRules): string[] {
  const { max_attempts = [], requires_consent = [], holidays = [], min_gap_s, unknown_zone } = rules;
  return [
    ...max_attempts.map(attemptText),
    ...(min_gap_s ? [`At least ${gapText(min_gap_s)} between two calls to a number.`] : []),
    ...consentTexts(requires_consent),
    ...(holidays.length > 0 ? [`No calls on ${holidays.length === 1 ? 'one day' : `${holidays.length} days`}.`] : []),
    ...(unknown_zone === 'deny' ? ['Nobody is called whose time zone is not known for certain.'] : []),
    ...abandonedTexts(rules),
  ];
}

/** A rate from 0 to 1 in percent, and back, without the noise of binary fractions. */
export const percentOf = (rate: number): number => Number((rate * 100).toPrecision(12));
export const rateOf = (percent: number): number => Number((percent / 100).toPrecision(12));

function abandonedTexts({ max_abandoned_rate: rate, abandoned_after_s, abandoned_days }: DialRules): string[] {
  if (rate === undefined || rate === null) return [];
  const [within, days] = [gapText(abandoned_after_s ?? 2), abandoned_days ?? 30];
  const period = days === 1 ? 'today' : `in ${days} days`;
  return [
    `A campaign dials nobody while more than ${percentOf(rate)} % of the calls that people answered ${period} had no agent within ${within}.`,
  ];
}

function attemptText({ count, days, purposes, ...place }: AttemptLimit): string {
  const period = days === 1 ? '24 hours' : `${days} days`;
  const whom = place.country ? ` (${placeLabel(place)})` : '';
  const why = purposes ? ` for ${purposes.join(' or ')}` : '';
  return `At most ${count} ${count === 1 ? 'call' : 'calls'}${why} to a number within ${period}${whom}.`;
}

/** Places that are named in a sentence; of more, how many there are is told. */
const NAMED = 3;

function consentTexts(rules: ConsentRule[]): string[] {
  return Object.entries(Object.groupBy(rules, ({ purpose }) => purpose)).map(([purpose, ones]) => {
    const isForAll = ones.some(({ country }) => !country);
    const places = ones.map((one) => placeLabel(one));
    const named = places.length > NAMED ? `in ${places.length} places` : places.join('; ');
    return `Calls for ${purpose} need a consent${isForAll ? '' : ` (${named})`}.`;
  });
}
