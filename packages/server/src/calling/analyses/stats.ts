import type { Db } from '../../db/tables.ts';
import { InvalidFields } from '../../lib/invalid.ts';
import { MAX_ANALYSIS_GROUPS } from './stats-schema.ts';
import { type Group, readStats, type StatsFilter, type StatsRow } from './values-store.ts';

const TOO_MANY = {
  field: 'group_by',
  msg: `Input should give ${MAX_ANALYSIS_GROUPS} groups at most: ask for fewer days, or group by less`,
  type: 'too_many_groups',
};

/** Reports how many calls have which value. Throws `InvalidFields` for more groups than a report can have. */
export async function reportValues(db: Db, filter: StatsFilter, groups: Group[]) {
  const rows = await readStats(db, filter, groups, MAX_ANALYSIS_GROUPS + 1);
  if (rows.length > MAX_ANALYSIS_GROUPS) throw new InvalidFields(TOO_MANY);
  return { field: filter.field, groups: rows.map(groupOf) };
}

function groupOf({ value, agent, agent_version, calls, total, ...rest }: StatsRow) {
  return {
    ...(value !== undefined && { value: value || null }),
    ...rest,
    ...(agent !== undefined && { agent_id: agent || null }),
    ...(agent_version !== undefined && { agent_version: agent_version || null }),
    calls: Number(calls),
    mean: meanOf(value, Number(calls), Number(total)),
  };
}

/** Choices have no mean, and those of one value of a boolean all have the same. */
function meanOf(value: string | undefined, calls: number, total: number): number | null {
  if (value) return null;
  return Math.round((total / calls) * 10_000) / 10_000;
}
