import { Type } from 'typebox';
import { noteEnd } from '../../http/audit.ts';
import { actorOf } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, Id, UserHeader } from '../../http/wire.ts';
import { type Calls, fullView, view } from './calls.ts';
import { CallDetail, CallJob, CallOutcome, CallState } from './schema.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id });

export function callRoutes(app: Server, calls: Calls): void {
  app.get(
    '/api/calls/:call_id',
    {
      config: { isForWorkers: true },
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
      config: { isForWorkers: true },
      schema: {
        tags,
        operationId: 'getCallJob',
        summary: 'Get the job of a call\u2019s worker',
        description:
          'The job that the worker receives when it is dispatched into the room of the call. It is built from the version of the agent that the call has. If that is not kept, it is built from the agent as it is now, and `agent_changed` says whether that has changed since the call began. 404 once the agent is deleted.',
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
      config: { isForWorkers: true },
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
    async (request) => view(await calls.state(request.params.call_id, request.caller)),
  );
  app.post(
    '/api/calls/:call_id/end',
    {
      config: { access: 'supervise' },
      schema: {
        tags,
        operationId: 'endCall',
        audit: { may_change: 'call.ended', failures: 'operators' },
        summary: 'End a call',
        description: 'Hangs up an answered call; cancels one that still rings. Ending an ended call changes nothing.',
        params,
        headers,
        response: responses({ 200: CallState }, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const { call, hasEnded } = await calls.end(request.params.call_id, request.caller);
      if (hasEnded) await noteEnd(request, call.id);
      return view(call);
    },
  );
  app.post(
    '/api/calls/:call_id/outcome',
    {
      config: { isForWorkers: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'reportCallOutcome',
        audit: { may_change: ['call.outcome_corrected', 'call.ended'], failures: 'operators' },
        summary: 'Report the outcome of a call',
        description:
          'Records who or what answered, and the result in your own words. `hang_up` ends the call as well, with the `end_reason` `voicemail` if `answered_by` is `voicemail` or `unavailable`, `screening` if it is that, and `ended_by_agent` otherwise. It can be repeated and corrected at any time, after the end too.',
        params,
        headers,
        body: CallOutcome,
        response: responses({ 200: CallDetail }, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const { params, body, caller } = request;
      const { call, hasEnded } = await calls.reportOutcome(params.call_id, body, caller, actorOf(request));
      if (hasEnded) await noteEnd(request, call.id);
      return fullView(call);
    },
  );
}
