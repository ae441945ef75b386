import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id } from '../../http/wire.ts';
import type { Keys } from './keys.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from './schema.ts';

const tags = ['keys'];
const config = { access: 'service' } as const;

export function keyRoutes(app: Server, keys: Keys): void {
  app.post(
    '/api/keys',
    {
      config,
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Create an API key',
        description:
          'The response contains the key; it is stored as a hash and cannot be shown again. A key of role `user` is bound to one user.',
        body: ApiKeyCreate,
        response: responses({ 201: ApiKeyCreated }, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return keys.create(request.body, actorOf(request));
    },
  );
  app.get(
    '/api/keys',
    {
      config,
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List API keys, newest first',
        description: 'Revoked keys stay in the list. The keys themselves are not shown.',
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(ApiKey) }, 422),
      },
    },
    async (request) => keys.list(pageRequest(request.query)),
  );
  app.post(
    '/api/keys/:key_id/revoke',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description: 'Cannot be undone. Other processes may accept the key for up to a second longer. Idempotent.',
        params: Type.Object({ key_id: Id }),
        response: responses({ 200: ApiKey }, 404, 413, 415, 422),
      },
    },
    async (request) => keys.revoke(request.params.key_id, actorOf(request)),
  );
}
