import { Type } from 'typebox';
import { requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, Id, RequiredUserHeader, UserHeader } from '../../http/wire.ts';
import type { Outbound } from '../dialling/outbound.ts';
import { IdempotencyHeader, idempotencyOf } from '../idempotency/header.ts';
import { type Calls, fullView, view } from './calls.ts';
import { CallDetail, CallJob, CallOutcome, CallState, OutboundCall, OutboundCallStarted } from './schema.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id });

export function callRoutes(app: Server, { calls, outbound }: { calls: Calls; outbound: Outbound }): void {
  app.post(
    '/api/calls/outbound',
    {
      schema: {
        tags,
        operationId: 'startOutboundCall',
        summary: 'Start an outbound call',
        description:
          'Returns `RINGING` at once; the phone is dialed afterwards, exactly once. Follow the call by its status, its event stream, or `callback_url`. Limits: concurrent calls, calls per second and per day (429), and destinations (403). Send an `Idempotency-Key` to repeat the request safely.',
        headers: Type.Object({ ...RequiredUserHeader.properties, ...IdempotencyHeader }),
        querystring: AnyQuery,
        body: OutboundCall,
        response: responses({ 201: OutboundCallStarted }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      const call = await outbound.start(requireCaller(request), request.body, idempotencyOf(request));
      reply.status(201);
      return call;
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
    async (request) => fullView(await calls.detail(request.params.call_id, request.caller)),
  );
  app.get(
    '/api/calls/:call_id/job',
    {
      config: { access: 'worker' },
      schema: {
        tags,
        operationId: 'getCallJob',
        summary: 'Get the job of a call\u2019s worker',
        description:
          'The job that the worker receives when it is dispatched into the room of the call. It is built from the agent as it is now; `agent_changed` says whether the agent has changed since the call began. 404 once the agent is deleted.',
        params,
        headers,
        response: responses({ 200: CallJob }, 404, 422),
      },
    },
    async (request) => calls.job(request.params.call_id, request.caller),
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
  app.post(
    '/api/calls/:call_id/outcome',
    {
      config: { access: 'worker' },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'reportCallOutcome',
        summary: 'Report the outcome of a call',
        description:
          'Records who or what answered, and the result in your own words. `hang_up` ends the call as well, with the `end_reason` `voicemail` if `answered_by` is `voicemail`, and `ended_by_agent` otherwise. It can be repeated and corrected at any time, after the end too.',
        params,
        headers,
        body: CallOutcome,
        response: responses({ 200: CallDetail }, 404, 413, 415, 422),
      },
    },
    async (request) => fullView(await calls.reportOutcome(request.params.call_id, request.body, request.caller)),
  );
}
