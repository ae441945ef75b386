import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { CallbackSecret, SecretRotation } from './schema.ts';
import type { Secrets } from './secrets.ts';

const tags = ['callbacks'];
const headers = UserHeader;

export function secretRoutes(app: Server, secrets: Secrets): void {
  app.get(
    '/api/callbacks/secret',
    {
      config: { userRequired: true, access: 'write' },
      schema: {
        tags,
        operationId: 'getCallbackSecret',
        audit: { access: 'callback_secret.revealed', target: 'callback_secret' },
        summary: 'Get the callback secret',
        description:
          'The secret that signs the callbacks of the calling user (Standard Webhooks). Created on the first request.',
        headers,
        response: responses({ 200: CallbackSecret }, 409, 422),
      },
    },
    async (request) => secrets.get(requireCaller(request)),
  );
  app.post(
    '/api/callbacks/secret/rotate',
    {
      config: { userRequired: true, stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'rotateCallbackSecret',
        audit: { changes: 'callback_secret.rotated' },
        summary: 'Rotate the callback secret',
        description:
          'For `overlap_s` seconds both the old and the new secret sign, so that receivers can be updated one by one.',
        headers,
        body: SecretRotation,
        response: responses({ 200: CallbackSecret }, 409, 413, 415, 422),
      },
    },
    async (request) => secrets.rotate(requireCaller(request), request.body.overlap_s, actorOf(request)),
  );
}
