import type { CampaignCreate } from '@switchboard/client';

/** Fields that differ: others may not be changed in every state, or somebody else has changed them meanwhile. */
export function changesOf(fields: CampaignCreate, before: CampaignCreate): Partial<CampaignCreate> {
  const { pacing, retries, ...others } = differing(fields, before);
  // The service keeps the fields of these that are not sent.
  return {
    ...others,
    ...(pacing && { pacing: differing(pacing, before.pacing ?? {}) }),
    ...(retries && { retries: differing(retries, before.retries ?? {}) }),
  };
}

function differing<T extends object>(now: T, before: T): Partial<T> {
  const names = Object.keys(now) as (keyof T)[];
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<T>;
}
