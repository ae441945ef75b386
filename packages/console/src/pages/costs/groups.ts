import type { CostGroup } from '@switchboard/client';
import type { Bucket, Split } from '../../data/costs.ts';

const NONE: Record<Split, string> = {
  provider: 'None',
  agent: 'No agent',
  model: 'No model',
  event_type: 'None',
  direction: 'No direction',
};

/** The period of a group: its first day. */
export function periodOf(group: CostGroup, bucket: Bucket): string {
  return group[bucket] ?? '';
}

/** The name of a group, in the property that costs are split by. */
export function nameOf(group: CostGroup, split: Split): string {
  const value = split === 'agent' ? group.agent_name : group[split];
  return value?.replaceAll('_', ' ') ?? NONE[split];
}
