import { describeEvent } from '../../delivery/callbacks/webhooks.ts';
import type { Feature } from '../../feature.ts';
import { consentRoutes, suppressionRoutes } from './routes.ts';
import { SuppressionAdded } from './schema.ts';
import type { Suppressions } from './suppressions.ts';

/** Shares the API tag of policies. */
export function suppressionsFeature(suppressions: Suppressions): Feature {
  return {
    routes: (server) => {
      suppressionRoutes(server, suppressions);
      consentRoutes(server, suppressions);
    },
    webhooks: { 'suppression.added': describeEvent('suppression.added', SuppressionAdded) },
    erase: {
      part: (trx, { user_id }) => suppressions.erasePart(trx, user_id),
      user: (trx, { user_id }) => suppressions.eraseRemoved(trx, user_id),
    },
    upkeep: { suppressions: suppressions.forget },
  };
}
