import type { Feature } from '../feature.ts';
import type { Callbacks } from './callbacks.ts';
import { callbackRoutes } from './routes.ts';
import type { Secrets } from './secrets.ts';
import { webhookEndpointRoutes } from './webhook-endpoint-routes.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';
import { callbackWebhooks } from './webhooks.ts';

export function callbacksFeature(operations: {
  callbacks: Callbacks;
  secrets: Secrets;
  webhookEndpoints: WebhookEndpoints;
}): Feature {
  return {
    tag: { name: 'callbacks', description: 'Deliveries to `callback_url`, and the secret that signs them.' },
    routes: (server) => {
      callbackRoutes(server, operations);
      webhookEndpointRoutes(server, operations.webhookEndpoints);
    },
    webhooks: callbackWebhooks,
    erase: {
      sessions: (trx, { ids }) => operations.callbacks.erase(trx, ids),
      user: async (trx, { user_id }) => {
        await operations.callbacks.eraseUser(trx, user_id);
        await operations.callbacks.eraseEndpoints(trx, user_id);
        await operations.webhookEndpoints.erase(trx, user_id);
        await operations.secrets.erase(trx, user_id);
      },
    },
  };
}
