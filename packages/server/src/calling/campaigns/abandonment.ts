import { DAY_MS } from '../../lib/clock.ts';
import type { AbandonRule, DayCount } from './state-schema.ts';

export interface Abandonment {
  answered: number;
  abandoned: number;
  max_rate: number;
  days: number;
  is_exceeded: boolean;
}

/** Whether a call counts: a person answered it. */
export const isTaken = (outcome: string): boolean => outcome === 'answered' || outcome === 'abandoned';

/** Whether no agent was there in time for a person who answered, and who did not hang up before. */
export function isAbandoned(
  { started_at, ended_at, agent_joined_at }: Record<'started_at' | 'ended_at' | 'agent_joined_at', Date | null>,
  after_s: number,
): boolean {
  if (started_at === null) return false;
  const until = started_at.getTime() + after_s * 1000;
  const joined = agent_joined_at?.getTime() ?? Number.POSITIVE_INFINITY;
  return joined > until && (ended_at === null || ended_at.getTime() > until);
}

/**
 * Compares the counts, of which the last one of a day holds, with the rule, and says when enough days are over if it is
 * exceeded. One abandoned call alone exceeds only a rule that allows none: a share of so few calls says nothing.
 */
export function judge(rule: AbandonRule, counts: DayCount[]): Abandonment & { until: Date | null } {
  const { max_rate, days } = rule;
  const latest = new Map(counts.map((one) => [one.day, one]));
  const sorted = [...latest.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
  const all = { ...sum(sorted), max_rate, days };
  if (!exceeds(all, max_rate)) return { ...all, is_exceeded: false, until: null };
  const leaving = sorted.find((_, index) => !exceeds(sum(sorted.slice(index + 1)), max_rate));
  return { ...all, is_exceeded: true, until: leaving ? new Date(Date.parse(leaving.day) + days * DAY_MS) : null };
}

const exceeds = ({ answered, abandoned }: Pick<DayCount, 'answered' | 'abandoned'>, max_rate: number): boolean =>
  abandoned > max_rate * answered && (abandoned > 1 || max_rate === 0);

function sum(counts: DayCount[]): Pick<DayCount, 'answered' | 'abandoned'> {
  return {
    answered: counts.reduce((total, one) => total + one.answered, 0),
    abandoned: counts.reduce((total, one) => total + one.abandoned, 0),
  };
}
