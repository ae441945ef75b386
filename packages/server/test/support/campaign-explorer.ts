import { createModel, type Functions } from './campaign-model.ts';
import { beginOf, keyOf, type Scope, type World, wrongWith } from './campaign-world.ts';

const at = (times: string[]) => times.map((time) => Date.parse(`2027-01-${time}Z`));
const EXPIRES = new Date('2027-01-12T11:00:00.000Z');
/** Around the hours of a day, on a holiday, and on the days after it. */
const DAYS = at([
  '12T07:59:57',
  '12T08:00:00',
  '12T09:00:00',
  '12T10:00:00',
  '12T11:59:58',
  '12T12:00:02',
  '12T12:00:20',
  '13T09:00:00',
  '14T09:00:00',
  '15T09:00:00',
]);
/** Around the end of a campaign, with time for two calls before it. */
const MORNING = at(['12T08:00:00', '12T10:00:00', '12T10:59:57', '12T11:00:00', '12T11:00:20']);
const ALONE = { phones: [1], max_concurrent: 10, budget: 10, expires_at: null, kills: 2, mayRevoke: true };
const TWO = { ...ALONE, times: MORNING.slice(0, 4), expires_at: EXPIRES, kills: 1, mayRevoke: false };

export const SCOPES = {
  'one person': { ...ALONE, times: DAYS },
  'one person, and the campaign expires': { ...ALONE, times: MORNING, expires_at: EXPIRES },
  'somebody who is in the list twice': { ...TWO, phones: [2] },
  'two people, with room for one call at a time and money for three': {
    ...TWO,
    phones: [1, 1],
    max_concurrent: 1,
    budget: 3,
    times: at(['12T08:00:00', '12T10:59:57', '12T11:00:00']),
  },
  'two people, called at the same time': {
    ...TWO,
    phones: [1, 1],
    times: at(['12T10:59:57', '12T11:00:00']),
    kills: 0,
  },
} satisfies Record<string, Scope>;

/** Tries every order; returns the first thing that goes wrong, and the number of worlds. */
export function explore(scope: Scope, real: Functions): { wrong: string | null; worlds: number; ends: Set<string> } {
  const begin = beginOf(scope);
  const { nexts } = createModel(scope, real);
  const seen = new Set([keyOf(begin)]);
  const ends = new Set<string>();
  for (let worlds = [begin]; worlds.length > 0; ) {
    const found: World[] = [];
    for (const world of worlds)
      for (const next of nexts(world)) {
        // Before it is looked up: a state that is reached rightly from one world may not follow from another.
        const wrong = wrongWith(next, world);
        if (wrong) return { wrong, worlds: seen.size, ends };
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        for (const { recipients } of next.phones) for (const { state } of recipients) ends.add(state);
        found.push(next);
      }
    worlds = found;
  }
  return { wrong: null, worlds: seen.size, ends };
}
