import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id } from '../../http/wire.ts';
import { AppError } from '../../lib/errors.ts';
import type { Keys } from './keys.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from './schema.ts';

const tags = ['keys'];
const config = { access: 'operate', restriction: 'keys of role `admin`: `admin` only' } as const;

export function keyRoutes(app: Server, keys: Keys): void {
  app.post(
    '/api/keys',
    {
      config,
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'createApiKey',
        audit: { changes: 'key.created' },
        summary: 'Create an API key',
        description:
          'The response contains the key; it is stored as a hash and cannot be shown again. A key has at most the role, the scopes and the lifetime of the key that creates it; keys of role `admin` are created by that role only. 409 in open mode, in which anybody could create one.',
        body: ApiKeyCreate,
        response: responses({ 201: ApiKeyCreated }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      if (!request.principal) throw new AppError('keys_not_needed');
      reply.status(201);
      return keys.create(request.body, actorOf(request), request.principal);
    },
  );
  app.get(
    '/api/keys',
    {
      config: { access: 'operate' },
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
        audit: { changes: 'key.revoked' },
        summary: 'Revoke an API key',
        description:
          'Cannot be undone. This process refuses the key and ends its event streams immediately; other processes refuse it within a second and end its streams within 5 seconds. Keys of role `admin` are revoked by that role only. Idempotent.',
        params: Type.Object({ key_id: Id }),
        response: responses({ 200: ApiKey }, 404, 413, 415, 422),
      },
    },
    async (request) => keys.revoke(request.params.key_id, actorOf(request), request.principal),
  );
}
