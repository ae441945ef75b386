import type { Feature } from '../../feature.ts';
import { decisionRoutes } from './decision-routes.ts';
import type { Decisions } from './dial-decisions.ts';
import type { Limits } from './limits.ts';
import { outboundRoutes, type Starting } from './routes.ts';

interface Parts {
  /** Starts calls, now or later. */
  outbound: Starting;
  limits: Limits;
  decisions: Decisions;
}

/** Days for which decisions are kept at least. */
const MIN_DAYS = 31;

/** Shares the API tags of calls, and of policies. Decisions are kept for `days`, like the audit log. */
export function outboundFeature({ outbound, limits, decisions }: Parts, days: number | undefined): Feature {
  return {
    routes: (server) => {
      outboundRoutes(server, outbound);
      decisionRoutes(server, decisions);
    },
    // Attempts of 30 days count for later decisions.
    keeps: { dial_decisions: { days: days && Math.max(days, MIN_DAYS), deleteOlder: decisions.deleteOlder } },
    erase: {
      part: (trx, { user_id }) => decisions.erasePart(trx, user_id),
      user: (trx, { user_id }) => limits.erase(trx, user_id),
    },
  };
}
