/** Groups of people, of whom each proves another rule. */
export type Group = 'anytime' | 'opens' | 'closed' | 'suppressed' | 'objecting';

export interface Person {
  external_id: string;
  phone_number: string;
  group: Group;
  region: string;
}

/** Countries whose windows the policy has. */
const COUNTRY = { anytime: 'DE', suppressed: 'DE', objecting: 'DE', opens: 'FR', closed: 'GB' } as const;

function groupOf(index: number): Group {
  const place = index % 20;
  if (place === 3) return 'closed';
  if (place === 7) return 'suppressed';
  if (place === 9 || place === 11) return 'objecting';
  return place > 11 && place < 15 ? 'opens' : 'anytime';
}

/**
 * People of the sandbox, who are busy, do not answer, or talk, by the last digits of their numbers; the groups go by
 * the order, so that each has people of all manners.
 */
export function peopleOf(count: number): Person[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String((index * 7) % 10_000).padStart(4, '0');
    const group = groupOf(index);
    return { external_id: `c-${index}`, phone_number: `+1500556${number}`, group, region: COUNTRY[group] };
  });
}

/** As a file of CSV, in parts of that many lines. */
export function* csvParts(people: Person[], lines: number): Generator<string> {
  yield 'phone_number,external_id,time_zone,region,name\n';
  for (let from = 0; from < people.length; from += lines)
    yield people
      .slice(from, from + lines)
      .map(({ phone_number, external_id, region }) => `${phone_number},${external_id},UTC,${region},Guest\n`)
      .join('');
}

const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export const GAP_S = 3;

/** Hours that open at a minute of today, and others that do not open today at all, in UTC. */
export function rulesFor(opensAt: Date) {
  const opens = opensAt.toISOString().slice(11, 16);
  const today = EVERY_DAY[(opensAt.getUTCDay() + 6) % 7];
  const tomorrow = EVERY_DAY[opensAt.getUTCDay() % 7];
  const others = EVERY_DAY.filter((day) => day !== today && day !== tomorrow);
  return {
    windows: [
      { country: COUNTRY.opens, days: EVERY_DAY, from: opens, to: '24:00' },
      { country: COUNTRY.closed, days: others, from: '09:00', to: '10:00' },
    ],
    min_gap_s: GAP_S,
  };
}
