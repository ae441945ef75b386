import type { Feature } from '../../feature.ts';
import { type Compliance, OPT_OUT } from './compliance.ts';

/** Its reports come with the outcome of a call. Disclosures are kept for `days`, like transcripts. */
export function complianceFeature(compliance: Compliance, days: number | undefined): Feature {
  return {
    work: { [OPT_OUT]: compliance.farewell },
    keeps: { call_disclosures: { days, isHeldBack: true, deleteOlder: compliance.deleteOlder } },
    expire: { transcripts: compliance.expire },
    erase: { sessions: (trx, { ids }) => compliance.erase(trx, ids) },
  };
}
