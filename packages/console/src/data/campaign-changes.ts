import type { CampaignCreate } from '@switchboard/client';
import { differing } from './differing.ts';

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
