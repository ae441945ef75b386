import type { Feature } from '../../feature.ts';
import type { Agents } from './agents.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';
import { agentRoutes, configSchemaRoutes } from './routes.ts';
import { agentCallbackRoutes, externalKeyRoutes, legalHoldRoutes } from './settings-routes.ts';

export function agentsFeature(agents: Agents): Feature {
  return {
    tag: {
      name: 'agents',
      description: 'Voice agents: a type, a free-form configuration, and the phone number that each answers.',
    },
    erase: { user: (trx, { user_id }) => agents.forgetPrivacy(trx, user_id) },
    schemas: { AgentConfig: CONFIG_SCHEMA },
    routes: (server) => {
      agentRoutes(server, agents);
      agentCallbackRoutes(server, agents);
      externalKeyRoutes(server, agents);
      legalHoldRoutes(server, agents);
      configSchemaRoutes(server);
    },
  };
}
