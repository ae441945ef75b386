import type { CostGroup } from '@switchboard/client';
import type { Bucket, Split } from '../../data/costs.ts';

const NONE: Record<Split, string> = {
  provider: 'None',
  agent: 'No agent',
  model: 'No model',
  event_type: 'None',
  direction: 'No direction',
  user: 'None',
};

/** The period of a group: its first day; '' where the range is one. */
export function periodOf(group: CostGroup, bucket: Bucket): string {
  return (bucket === 'none' ? '' : group[bucket]) ?? '';
}

/** The id that tells a group from the others of its period. */
export function idOf(group: CostGroup, split: Split): string | null | undefined {
  if (split === 'agent') return group.agent_id;
  return split === 'user' ? group.user_id : group[split];
}

/** The name of a group, in a property that costs are grouped by. */
export function nameOf(group: CostGroup, split: Split): string {
  const value = split === 'agent' ? group.agent_name : idOf(group, split);
  // Only our own words are spelled out: names and ids stay what they are.
  return (split === 'event_type' ? value?.replaceAll('_', ' ') : value) ?? NONE[split];
}
