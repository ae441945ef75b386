import type { Feature } from '../../feature.ts';
import type { Callbacks } from './callbacks.ts';
import { callbackRoutes } from './routes.ts';
import type { Sender } from './sender.ts';
import { webhookEndpointRoutes } from './webhook-endpoint-routes.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';
import { callbackWebhooks } from './webhooks.ts';

interface Operations {
  callbacks: Callbacks;
  sender: Sender;
}

type Deps = Parameters<typeof createWebhookEndpoints>[0];

/** The days for which callbacks are kept, and the reports that some of them carry. */
interface Days {
  callbacks: number | undefined;
  /** Reports contain the transcripts. */
  transcripts: number | undefined;
}

export function callbacksFeature({ callbacks, sender }: Operations, deps: Deps, days: Days): Feature {
  const webhookEndpoints = createWebhookEndpoints(deps);
  return {
    tag: { name: 'callbacks', description: 'Deliveries to `callback_url`, and the secret that signs them.' },
    routes: (server) => {
      callbackRoutes(server, callbacks);
      webhookEndpointRoutes(server, webhookEndpoints);
    },
    webhooks: callbackWebhooks,
    stop: sender.stop,
    erase: {
      sessions: (trx, { ids }) => callbacks.erase(trx, ids),
      user: async (trx, { user_id }) => {
        // First: whoever queues an event in the background holds them, and has queued it when they can be deleted.
        await webhookEndpoints.erase(trx, user_id);
        await callbacks.eraseUser(trx, user_id);
        await callbacks.eraseEndpoints(trx, user_id);
      },
    },
    // A report contains both.
    expire: { transcripts: callbacks.eraseReports, metadata: callbacks.eraseReports },
    keeps: {
      reports: { days: days.transcripts, isHeldBack: true, deleteOlder: callbacks.deleteOlderReports },
      callbacks: { days: days.callbacks, isHeldBack: true, deleteOlder: callbacks.deleteOlder },
    },
    measure: sender.measure,
  };
}
