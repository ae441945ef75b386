import { Type } from 'typebox';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { FunctionCheck, FunctionCheckCreate } from './function-schema.ts';
import { ProviderCheck, ProviderCheckCreate } from './provider-schema.ts';
import type { WorkerChecks } from './worker-checks.ts';

export function workerCheckRoutes(app: Server, checks: WorkerChecks): void {
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
  app.post(
    '/api/agents/:agent_id/functions/check',
    {
      bodyLimit: SMALL_BODY,
      schema: {
        tags: ['agents'],
        operationId: 'checkFunction',
        audit: { access: 'function.checked', target: 'agent/:agent_id' },
        summary: 'Call a function as a call of the agent would',
        description:
          'A worker makes the request by the code of calls, with `session_id` null, and sends it: the function does its work. The response has the request, without secrets, and the answer. Nothing is stored. Takes as long as `timeout_s`; 503 `no_worker` when no worker takes it. The sandbox sends nothing, and says so.',
        params: Type.Object({ agent_id: Id }),
        headers: UserHeader,
        body: FunctionCheckCreate,
        response: responses({ 200: FunctionCheck }, 404, 413, 415, 422),
      },
    },
    async ({ params, body, caller }) => checks.checkFunction(params.agent_id, body, caller),
  );
}
