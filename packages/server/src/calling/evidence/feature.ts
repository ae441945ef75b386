import type { Feature } from '../../feature.ts';
import { createEvidence } from './evidence.ts';
import { createEvidenceKeys } from './keys.ts';
import { evidenceRoutes } from './routes.ts';

type Deps = Omit<Parameters<typeof createEvidence>[0], 'keys'> & Parameters<typeof createEvidenceKeys>[0];

/** Shares the API tag of policies. */
export function evidenceFeature(deps: Deps): Feature {
  const evidence = createEvidence({ ...deps, keys: createEvidenceKeys(deps) });
  return {
    routes: (server) => evidenceRoutes(server, evidence),
    upkeep: { evidence_keys: evidence.reseal },
    erase: {
      sessions: (trx, { ids }) => evidence.erase(trx, ids),
      user: (trx, { user_id }) => evidence.eraseUser(trx, user_id),
    },
  };
}
