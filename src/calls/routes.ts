import { Type } from 'typebox';
import { actorOf, requireCaller } from '../http/caller.ts';
import { createEventStreams, EVENT_STREAM, LastEventIdHeader, lastEventIdOf } from '../http/event-stream.ts';
import { IdempotencyHeader, idempotencyOf } from '../http/idempotency.ts';
import { pageOf, pageRequest } from '../http/paging.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { AnyQuery, Id, RequiredUserHeader, UserHeader } from '../http/wire.ts';
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
  StreamToken,
  Transfer,
  TransferRequest,
} from './schema.ts';
import type { StreamTokens } from './stream-tokens.ts';
import type { Transfers } from './transfer.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id });
const STREAM_EXAMPLE = 'retry: 1000\n\nid: 2\nevent: call\ndata: {"call_status":"ANSWERED"}\n\n';
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
        operationId: 'startOutboundCall',
        summary: 'Start an outbound call',
        description:
          'Answers at once with `RINGING`; the phone is dialled behind the answer, once. Follow the call by its status, its event stream, or `callback_url`. Limits: calls at the same time, a second and a day (429), and destinations (403). Send an `Idempotency-Key` to repeat the request safely.',
        headers: Type.Object({ ...RequiredUserHeader.properties, ...IdempotencyHeader }),
        querystring: AnyQuery,
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
        operationId: 'getCallStatus',
        summary: 'Get the current status of a call',
        description:
          '`call_status` goes from `RINGING` to `ANSWERED`, and ends as `COMPLETED`, `FAILED` or `NO_ANSWER`.',
        params,
        headers,
        querystring: AnyQuery,
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
        operationId: 'listCalls',
        summary: 'List calls, newest first',
        description: 'Pages by cursor. A named user sees its own calls.',
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
        operationId: 'getCall',
        summary: 'Get a call with its transfers and timeline',
        description:
          'The call with its `end_reason`, the far end\u2019s SIP status, its transfers and every change of its state.',
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
        operationId: 'endCall',
        summary: 'End a call',
        description: 'Hangs up an answered call; cancels one that still rings. Ending an ended call changes nothing.',
        params,
        headers,
        response: responses({ 200: CallState }, 404, 413, 415, 422),
      },
    },
    async (request) => view(await calls.end(request.params.call_id, request.caller)),
  );
}

export function callEventRoutes(
  app: Server,
  { callEvents, streamTokens }: { callEvents: CallEvents; streamTokens: StreamTokens },
  maxStreamsPerUser: number,
): void {
  const send = createEventStreams(app, { perUser: maxStreamsPerUser });
  app.get(
    '/api/calls/:call_id/events',
    {
      exposeHeadRoute: false,
      config: { stream: true },
      schema: {
        tags,
        operationId: 'streamCallEvents',
        summary: 'Follow a call as server-sent events',
        description:
          'Everything after `Last-Event-ID`, then what happens, until the call has ended. A browser\u2019s `EventSource`, which can send no header, shows a stream token as `token`.',
        params,
        querystring: Type.Object(
          { token: Type.Optional(Type.String({ maxLength: 200, description: 'A stream token of this call.' })) },
          { additionalProperties: false },
        ),
        headers: Type.Object({ ...UserHeader.properties, ...LastEventIdHeader }),
        response: {
          ...responses({ 204: Type.Null({ description: 'The call has ended, and all of it was told.' }) }, 404, 422),
          200: { description: STREAM, content: { [EVENT_STREAM]: { schema: Type.String(), example: STREAM_EXAMPLE } } },
        },
      },
    },
    async (request, reply) => {
      const told = await callEvents.follow(request.params.call_id, request.caller, lastEventIdOf(request));
      return told ? send(reply, told) : reply.status(204).send(null);
    },
  );
  app.post(
    '/api/calls/:call_id/events/token',
    {
      schema: {
        tags,
        operationId: 'createStreamToken',
        summary: 'Get a token for the event stream of a call',
        description:
          'For a web page: `new EventSource(events_url)`. Good for the stream of this call and nothing else, until `expires_at`, or until the API key that asked for it is revoked. Ask for it on your server, so that the page needs no API key.',
        params,
        headers,
        response: responses({ 201: StreamToken }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return streamTokens.create(request.params.call_id, request.caller, request.principal);
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
        operationId: 'transferCall',
        summary: 'Transfer an answered call',
        description:
          'COLD: the caller is referred to the new number and the agent leaves; the session ends with `end_reason: transferred`. WARM: the number is dialled into the same room and the agent leaves when it is ready. The type is that of the body, else of the agent\u2019s `config.transfer.type`, else `TRANSFER_TYPE`.',
        params: sessionParams,
        headers,
        querystring: AnyQuery,
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
        operationId: 'completeTransfer',
        summary: 'Complete a warm transfer',
        description: 'The agent leaves; the caller and the target talk on. 409 until the target has answered.',
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
