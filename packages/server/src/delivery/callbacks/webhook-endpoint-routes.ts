import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { Callback } from './schema.ts';
import {
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointListQuery,
  WebhookEndpointUpdate,
} from './webhook-endpoint-schema.ts';
import type { WebhookEndpoints } from './webhook-endpoints.ts';

const tags = ['callbacks'];
const headers = UserHeader;
const params = Type.Object({ endpoint_id: Id });

export function webhookEndpointRoutes(app: Server, endpoints: WebhookEndpoints): void {
  app.post(
    '/api/webhook-endpoints',
    {
      config: { userRequired: true, stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'createWebhookEndpoint',
        audit: { changes: 'webhook_endpoint.created' },
        summary: 'Create a webhook endpoint',
        description:
          'Receives the events of all calls and chats of the user, whoever started them. Signed, retried and listed like the callbacks of a call. If a call’s `callback_url` is the same address, each event is sent twice, with different ids.',
        headers,
        body: WebhookEndpointCreate,
        response: responses({ 201: WebhookEndpoint }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const endpoint = await endpoints.create(requireCaller(request), request.body, actorOf(request));
      reply.status(201);
      return endpoint;
    },
  );
  app.get(
    '/api/webhook-endpoints',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints, newest first',
        description: 'Those of the calling user, with cursor pagination.',
        headers,
        querystring: WebhookEndpointListQuery,
        response: responses({ 200: pageOf(WebhookEndpoint) }, 422),
      },
    },
    async (request) => endpoints.list(requireCaller(request), pageRequest(request.query)),
  );
  app.get(
    '/api/webhook-endpoints/:endpoint_id',
    {
      schema: {
        tags,
        operationId: 'getWebhookEndpoint',
        summary: 'Get a webhook endpoint',
        description: '404 for an id that is unknown, malformed, or another user\u2019s.',
        params,
        headers,
        response: responses({ 200: WebhookEndpoint }, 404, 422),
      },
    },
    async (request) => endpoints.get(request.params.endpoint_id, request.caller),
  );
  app.patch(
    '/api/webhook-endpoints/:endpoint_id',
    {
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'updateWebhookEndpoint',
        audit: { changes: 'webhook_endpoint.updated' },
        summary: 'Update a webhook endpoint',
        description:
          'Absent fields are not changed. Pending callbacks go to the new `url`; with `is_active: false` they are given up. Delivery to an endpoint that answered 410 resumes.',
        params,
        headers,
        body: WebhookEndpointUpdate,
        response: responses({ 200: WebhookEndpoint }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => endpoints.update(request.params.endpoint_id, request.body, request.caller, actorOf(request)),
  );
  app.post(
    '/api/webhook-endpoints/:endpoint_id/test',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'testWebhookEndpoint',
        audit: { access: 'webhook_endpoint.tested', target: 'webhook_endpoint/:endpoint_id' },
        summary: 'Send a test event',
        description:
          'Sends `webhook.test` to this endpoint only: signed, retried and listed like any other event, whatever events the endpoint subscribes to and whether or not it is active. The response is the queued callback; `GET /api/callbacks` shows its attempts. Limited to ten a minute per user (429).',
        params,
        headers,
        response: responses({ 201: Callback }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const callback = await endpoints.sendTest(request.params.endpoint_id, request.caller);
      reply.status(201);
      return callback;
    },
  );
  app.delete(
    '/api/webhook-endpoints/:endpoint_id',
    {
      schema: {
        tags,
        operationId: 'deleteWebhookEndpoint',
        audit: { changes: 'webhook_endpoint.deleted' },
        summary: 'Delete a webhook endpoint',
        description: 'Pending callbacks to it are given up. All of its callbacks stay in the list.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await endpoints.remove(request.params.endpoint_id, request.caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}
