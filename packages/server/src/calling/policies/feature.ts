import type { Feature } from '../../feature.ts';
import type { Policies } from './policies.ts';
import { policyRoutes } from './routes.ts';

export function policiesFeature(policies: Policies): Feature {
  return {
    tag: {
      name: 'outreach',
      description:
        'Who may be called, and when: policies, suppressions, consents, and the decision about each attempt.',
    },
    routes: (server) => policyRoutes(server, policies),
    erase: { user: (trx, { user_id }) => policies.erase(trx, user_id) },
  };
}
