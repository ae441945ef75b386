import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { RoomTokens } from './room-tokens.ts';
import { CallListening, RoomToken, RoomTokenCreate, WebCall, WebCallStarted } from './schema.ts';
import type { WebCalls } from './web-calls.ts';

export function webRoutes(app: Server, { webCalls, roomTokens }: { webCalls: WebCalls; roomTokens: RoomTokens }) {
  app.post(
    '/api/calls/web',
    {
      bodyLimit: SMALL_BODY,
      config: { userRequired: true, stores: true },
      schema: {
        tags: ['calls'],
        operationId: 'startWebCall',
        audit: { access: 'room_token.issued', target: 'session/:call_id' },
        summary: 'Start a call in a browser',
        description:
          'Makes the room, calls the agent into it, and returns what a page needs to talk: ask for it on your server, so that the page needs no API key. The call is `RINGING` until browser and agent have joined, and ends when either leaves, at the time limit, or when one of them never joins. Limits are those of outbound calls (429). A repeated request with the same `Idempotency-Key` gets new tokens for the same call, and 409 once that has ended.',
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: WebCall,
        response: responses({ 201: WebCallStarted }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      const { body, principal } = request;
      const call = await webCalls.start(
        requireCaller(request),
        body,
        idempotencyOf(request),
        principal,
        actorOf(request),
      );
      request.auditNote = { target: `session/${call.call_id}` };
      reply.status(201);
      return call;
    },
  );
  app.post(
    '/api/calls/:call_id/listen',
    {
      config: { access: 'supervise' },
      schema: {
        tags: ['calls'],
        operationId: 'listenToCall',
        audit: { changes: 'call.listened' },
        summary: 'Listen in to an open call',
        description:
          'A token that joins the room of the call hidden: its bearer hears everybody, is not seen by them, and can send neither sound nor data. It must be used within a minute. The audit log records who asked. In the sandbox nobody speaks: `is_simulated` is true, and there is nothing to connect to.',
        params: Type.Object({ call_id: Id }),
        headers: UserHeader,
        response: responses({ 201: CallListening }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const listening = await roomTokens.listen(request.params.call_id, request.caller, actorOf(request));
      reply.status(201);
      return listening;
    },
  );
  app.post(
    '/api/media/token',
    {
      bodyLimit: SMALL_BODY,
      config: { userRequired: true, stores: true },
      schema: {
        tags: ['media'],
        operationId: 'createRoomToken',
        audit: { access: 'room_token.issued', target: 'session/:session_id' },
        summary: 'Get a token for the room of a live session',
        description:
          'A browser joins the media room with `token` at `url` before `expires_at`. The token is good for that room only. The first one for a conversation with an agent makes the room and calls the agent into it, which counts on the limits on calls (429).',
        headers: UserHeader,
        body: RoomTokenCreate,
        response: responses({ 201: RoomToken }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return roomTokens.create(request.body.session_id, requireCaller(request));
    },
  );
}
