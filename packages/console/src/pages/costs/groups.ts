import type { CostGroup } from '@switchboard/client';
import type { Bucket, Split } from '../../data/costs.ts';

const NONE: Record<Split, string> = {
  provider: 'None',
  agent: 'No agent',
  agent_version: 'No version',
  model: 'No model',
  event_type: 'None',
  direction: 'No direction',
  user: 'None',
};

/** The period of a group: its first day; '' if the range is not divided. */
export function periodOf(group: CostGroup, bucket: Bucket): string {
  return (bucket === 'none' ? '' : group[bucket]) ?? '';
}

/** The id that distinguishes a group within its period. */
export function idOf(group: CostGroup, split: Split): string | null | undefined {
  if (split === 'agent') return group.agent_id;
  if (split === 'agent_version') return group.agent_version?.toString();
  return split === 'user' ? group.user_id : group[split];
}

/** The name of a group in one dimension. */
export function nameOf(group: CostGroup, split: Split): string {
  const value = split === 'agent' ? group.agent_name : idOf(group, split);
  // Only the API's own terms are spelled out; names and ids are not changed.
  return (split === 'event_type' ? value?.replaceAll('_', ' ') : value) ?? NONE[split];
}
