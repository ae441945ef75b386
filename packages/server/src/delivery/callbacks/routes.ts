import { Type } from 'typebox';
import { SMALL_BODY } from '../../http/json-body.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Callbacks } from './callbacks.ts';
import { Redelivered, Redelivery } from './redelivery-schema.ts';
import { Callback, CallbackListQuery } from './schema.ts';

const tags = ['callbacks'];
const headers = UserHeader;

export function callbackRoutes(app: Server, callbacks: Callbacks): void {
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
      const { status, call_id, endpoint_id, is_failing } = request.query;
      const filter = { user_id: request.caller ?? undefined, status, call_id, endpoint_id, is_failing };
      return callbacks.list(filter, pageRequest(request.query));
    },
  );
  app.post(
    '/api/callbacks/:callback_id/redeliver',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'redeliverCallback',
        audit: { access: 'callback.redelivered', target: 'callback/:callback_id' },
        summary: 'Deliver a callback again',
        description:
          'With the same `webhook-id` and body, so that receivers can recognize it as a duplicate. One of a webhook endpoint goes to its present `url`; it is a 404 if the endpoint is deleted or inactive.',
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
      config: { stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'redeliverCallbacks',
        audit: { access: 'callback.redelivered', target: 'callbacks' },
        summary: 'Deliver many callbacks again',
        description:
          'Those in `ids`, or all that have failed since a time: up to 1,000 per request, each with its original `webhook-id` and body. The limits per user and host apply, so that a receiver that has just recovered is not flooded. Those of a webhook endpoint go to its present `url`, and are left alone if it is deleted or inactive. A repeated request with `failed_since` skips callbacks that are pending or were delivered meanwhile.',
        headers,
        body: Redelivery,
        response: responses({ 200: Redelivered }, 413, 415, 422),
      },
    },
    async (request) => {
      const redelivered = await callbacks.redeliverMany(request.body, request.caller);
      request.auditNote = { detail: `${redelivered.redelivered} callbacks` };
      return redelivered;
    },
  );
}
