import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Callbacks } from './callbacks.ts';
import { Redelivered, Redelivery } from './redelivery-schema.ts';
import { Callback, CallbackListQuery, CallbackSecret, SecretRotation } from './schema.ts';
import type { Secrets } from './secrets.ts';

const tags = ['callbacks'];
const headers = UserHeader;

export function callbackRoutes(app: Server, { callbacks, secrets }: { callbacks: Callbacks; secrets: Secrets }): void {
  app.get(
    '/api/callbacks',
    {
      schema: {
        tags,
        operationId: 'listCallbacks',
        summary: 'List callbacks, newest first',
        description: 'Each with its attempts and the receiver’s responses.',
        headers,
        querystring: CallbackListQuery,
        response: responses({ 200: pageOf(Callback) }, 422),
      },
    },
    async (request) => {
      const { status, call_id } = request.query;
      return callbacks.list({ user_id: request.caller ?? undefined, status, call_id }, pageRequest(request.query));
    },
  );
  app.post(
    '/api/callbacks/:callback_id/redeliver',
    {
      schema: {
        tags,
        operationId: 'redeliverCallback',
        summary: 'Deliver a callback again',
        description: 'With the same `webhook-id` and body, so that receivers can recognize it as a duplicate.',
        params: Type.Object({ callback_id: Id }),
        headers,
        response: responses({ 200: Callback }, 404, 413, 415, 422),
      },
    },
    async (request) => callbacks.redeliver(request.params.callback_id, request.caller),
  );
  app.post(
    '/api/callbacks/redeliver',
    {
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'redeliverCallbacks',
        summary: 'Deliver many callbacks again',
        description:
          'Those in `ids`, or all that have failed since a time: up to 1,000 per request, each with its original `webhook-id` and body. The limits per user and host apply, so that a receiver that has just recovered is not flooded. A repeated request with `failed_since` skips callbacks that are pending or were delivered meanwhile.',
        headers,
        body: Redelivery,
        response: responses({ 200: Redelivered }, 413, 415, 422),
      },
    },
    async (request) => callbacks.redeliverMany(request.body, request.caller),
  );
  app.get(
    '/api/callbacks/secret',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'getCallbackSecret',
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
      config: { userRequired: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'rotateCallbackSecret',
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
