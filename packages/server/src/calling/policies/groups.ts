import type { Hours, Span } from './clock-time.ts';
import type { Person } from './person.ts';
import { type PurposeName, type Rules, WEEKDAYS } from './schema.ts';

/** Hours that somebody's phone must keep to. */
export interface Group {
  hours: Hours;
  source: string | undefined;
}

interface ForWhom {
  country?: string | undefined;
  region?: string | undefined;
  purposes?: readonly string[] | undefined;
}

/** One of the places where somebody may be; `region` null where it is unknown. */
interface Candidate {
  country: string | null;
  region: string | null;
}

type Window = NonNullable<Rules['windows']>[number];

/** Whether a rule may be for this person: where somebody is unknown, it is. */
export function isFor({ country, region, purposes }: ForWhom, person: Person, purpose: PurposeName): boolean {
  if (purposes && !purposes.includes(purpose)) return false;
  return candidatesOf(person).some((one) => covers({ country, region }, one));
}

/**
 * Countries by ISO 3166-1 that are territories of another one, whose rules are theirs unless there are some for
 * themselves. The law of the United States on telephones counts its territories among them: 47 U.S.C. 153(58).
 */
const NATIONS = new Map(['PR', 'GU', 'VI', 'AS', 'MP'].map((territory) => [territory, 'US']));

function covers({ country, region }: ForWhom, candidate: Candidate): boolean {
  if (country === undefined) return true;
  if (region === undefined && country === NATIONS.get(candidate.country ?? '')) return true;
  return country === candidate.country && (region === undefined || [null, region].includes(candidate.region));
}

function candidatesOf({ countries, regions }: Person): Candidate[] {
  if (countries.length === 0) return [{ country: null, region: null }];
  return countries.flatMap((country): Candidate[] => {
    const own = regions?.filter((region) => region.startsWith(`${country}-`)) ?? [];
    return own.length > 0 ? own.map((region) => ({ country, region: region.slice(3) })) : [{ country, region: null }];
  });
}

/**
 * The hours that a policy asks for, one group for each place where the person may be: all must be kept. None: any time
 * is allowed.
 */
export function groupsFor({ windows = [], holidays = [] }: Rules, person: Person, purpose: PurposeName): Group[] {
  const ours = windows.filter(({ purposes }) => purposes?.includes(purpose) ?? true);
  const days = holidays.filter((one) => isFor(one, person, purpose)).map(({ date }) => date);
  const lists = new Map<string, Window[]>();
  for (const candidate of candidatesOf(person))
    for (const list of listsFor(ours, candidate)) lists.set(list.map((one) => ours.indexOf(one)).join(), list);
  const groups = [...lists.values()].map((list) => groupOf(list, new Set(days)));
  // A holiday is one without windows too.
  return groups.length === 0 && days.length > 0 ? [groupOf(null, new Set(days))] : groups;
}

/**
 * The windows for a region, otherwise for its country or the nation of that, otherwise for everybody; those of all
 * regions if unknown.
 */
function listsFor(windows: Window[], { country, region }: Candidate): Window[][] {
  const at = (of?: string | null, in_?: string | null) =>
    windows.filter((one) => (one.country ?? null) === (of ?? null) && (one.region ?? null) === (in_ ?? null));
  const nation = country === null ? undefined : NATIONS.get(country);
  const wide =
    [country === null ? [] : at(country), nation ? at(nation) : [], at()].find((list) => list.length > 0) ?? [];
  const own = region === null ? [] : at(country, region);
  if (own.length > 0) return [own];
  const lists = wide.length > 0 ? [wide] : [];
  if (region !== null || country === null) return lists;
  const names = new Set(windows.flatMap((one) => (one.country === country && one.region ? one.region : [])));
  return [...lists, ...[...names].map((name) => at(country, name))];
}

const WHOLE_DAY: Span[] = [{ from: 0, to: 24 * 60 }];

/** Null: any time of the days that are no holidays. */
function groupOf(windows: Window[] | null, holidays: ReadonlySet<string>): Group {
  // Most decisions ask for the hours of one day.
  const spans: Span[][] = [];
  const spansOn = (weekday: number): Span[] => {
    if (windows === null) return WHOLE_DAY;
    const ours = windows.filter(({ days }) => days.some((day) => day === WEEKDAYS[weekday]));
    return ours.map(({ from, to }) => ({ from: minutes(from), to: minutes(to) }));
  };
  return {
    hours: (date, weekday) => {
      if (holidays.has(date) || holidays.has(date.slice(5))) return [];
      spans[weekday] ??= spansOn(weekday);
      return spans[weekday];
    },
    source: windows?.find(({ source }) => source !== undefined)?.source,
  };
}

/** Minutes after midnight of `HH:MM`. */
export function minutes(time: string): number {
  const [hours, rest] = time.split(':');
  return Number(hours) * 60 + Number(rest);
}
