import { Type } from 'typebox';
import { actorOf, requireCaller } from '../http/caller.ts';
import { createEventStreams, EVENT_STREAM, LastEventIdHeader, lastEventIdOf } from '../http/event-stream.ts';
import { IdempotencyHeader, idempotencyOf } from '../http/idempotency.ts';
import { pageOf, pageRequest } from '../http/paging.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { Id, RequiredUserHeader, UserHeader } from '../http/wire.ts';
import { SessionListQuery, toFilter } from '../sessions/schema.ts';
import type { Session } from '../sessions/sessions.ts';
import type { Calls } from './calls.ts';
import type { CallEvents } from './events.ts';
import {
  CallDetail,
  CallState,
  CallSummary,
  OutboundCall,
  OutboundCallStarted,
  Transfer,
  TransferRequest,
} from './schema.ts';
import type { Transfers } from './transfer.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id });
const STREAM = `Everything after \`Last-Event-ID\`, then what happens, until the call has ended. Event \`call\`: the call after a change, as
its callback has it, and when that was (\`at\`). Event \`transcript\`: a transcript.`;

function view<T extends Session>(call: T) {
  return { ...call, call_id: call.id };
}

export function callRoutes(app: Server, calls: Calls): void {
  app.post(
    '/api/calls/outbound',
    {
      schema: {
        tags,
        summary: 'Start an outbound call',
        headers: Type.Object({ ...RequiredUserHeader.properties, ...IdempotencyHeader }),
        body: OutboundCall,
        response: responses({ 201: OutboundCallStarted }, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      const call = await calls.start(requireCaller(request), request.body, idempotencyOf(request));
      reply.status(201);
      return call;
    },
  );
  app.get(
    '/api/calls/:call_id/status',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Get the current status of a call',
        params,
        headers,
        response: responses({ 200: CallState }, 404, 422),
      },
    },
    async (request) => view(await calls.get(request.params.call_id, request.caller)),
  );
  app.get(
    '/api/calls/',
    {
      schema: {
        tags,
        summary: 'List calls, newest first',
        headers,
        querystring: SessionListQuery,
        response: responses({ 200: pageOf(CallSummary) }, 422),
      },
    },
    async (request) => {
      const page = await calls.list(toFilter(request.query, request.caller), pageRequest(request.query));
      return { ...page, items: page.items.map(view) };
    },
  );
  app.get(
    '/api/calls/:call_id',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Get a call with its transfers and timeline',
        params,
        headers,
        response: responses({ 200: CallDetail }, 404, 422),
      },
    },
    async (request) => view(await calls.detail(request.params.call_id, request.caller)),
  );
  app.post(
    '/api/calls/:call_id/end',
    {
      schema: {
        tags,
        summary: 'Hang up, or cancel while the phone rings',
        params,
        headers,
        response: responses({ 200: CallState }, 404, 413, 415, 422),
      },
    },
    async (request) => view(await calls.end(request.params.call_id, request.caller)),
  );
}

export function callEventRoutes(app: Server, events: CallEvents): void {
  const send = createEventStreams(app);
  app.get(
    '/api/calls/:call_id/events',
    {
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Follow a call: its changes and its transcripts, as server-sent events',
        params,
        headers: Type.Object({ ...UserHeader.properties, ...LastEventIdHeader }),
        response: {
          ...responses({ 204: Type.Null({ description: 'The call has ended, and all of it was told.' }) }, 404, 422),
          200: { description: STREAM, content: { [EVENT_STREAM]: { schema: Type.String() } } },
        },
      },
    },
    async (request, reply) => {
      const told = await events.follow(request.params.call_id, request.caller, lastEventIdOf(request));
      return told ? send(reply, told) : reply.status(204).send(null);
    },
  );
}

export function transferRoutes(app: Server, transfers: Transfers): void {
  const sessionParams = Type.Object({ session_id: Id });
  app.post(
    '/api/sessions/:session_id/transfer',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Transfer an answered call to another phone',
        params: sessionParams,
        headers,
        body: TransferRequest,
        response: responses({ 200: Transfer }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      const transfer = await transfers.start(request.params.session_id, request.body, request.caller, actorOf(request));
      return transfer.transfer_type === 'COLD'
        ? transferView(transfer, 'completed', 'The caller is connected to the new number; the agent has left.')
        : transferView(transfer, 'initiated', 'The target is being dialled into the call.');
    },
  );
  app.post(
    '/api/sessions/:session_id/transfer/complete',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        summary: 'Let the agent drop out of a warm transfer',
        params: sessionParams,
        headers,
        response: responses({ 200: Transfer }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      const transfer = await transfers.complete(request.params.session_id, request.caller, actorOf(request));
      return transferView(transfer, 'completed', 'Caller and target talk on; the agent has left.');
    },
  );
}

function transferView(
  transfer: { session_id: string; transfer_type: 'WARM' | 'COLD'; phone_number: string },
  status: string,
  message: string,
) {
  const { session_id, transfer_type, phone_number: transferred_to } = transfer;
  return { session_id, transfer_type, transferred_to, status, message };
}
