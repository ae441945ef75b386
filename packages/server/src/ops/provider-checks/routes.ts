import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { ProviderChecks } from './provider-checks.ts';
import { ProviderCheck, ProviderCheckCreate } from './schema.ts';

export function providerCheckRoutes(app: Server, checks: ProviderChecks): void {
  // Requests that wait for a worker do not delay a stop.
  app.addHook('preClose', async () => checks.stop());
  app.post(
    '/api/providers/check',
    {
      bodyLimit: SMALL_BODY,
      config: { access: 'operate' },
      schema: {
        tags: ['service'],
        operationId: 'checkProvider',
        audit: { access: 'provider.checked', target: 'service' },
        summary: 'Check whether a model answers to the key of a worker',
        description:
          'A worker asks the provider for as little as possible: one word of a language model, one short word of a voice, the recognition of a second of silence. That is not booked. Takes up to half a minute; 503 `no_worker` when no worker takes it. The sandbox asks nobody, and says so.',
        body: ProviderCheckCreate,
        response: responses({ 200: ProviderCheck }, 413, 415, 422),
      },
    },
    async (request) => checks.check(request.body),
  );
}
