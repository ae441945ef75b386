import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { CallBacks } from './call-backs.ts';
import type { Schedules } from './schedules.ts';
import {
  CallBackConfirmation,
  CallBackProposal,
  ProposedCallBack,
  ScheduledCall,
  ScheduledCallMove,
  ScheduledCallQuery,
} from './schema.ts';

const headers = UserHeader;
const tags = ['outreach'];
const params = Type.Object({ scheduled_call_id: Id });

export function scheduleRoutes(app: Server, schedules: Schedules): void {
  app.get(
    '/api/scheduled-calls',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listScheduledCalls',
        summary: 'List scheduled calls, newest first',
        description:
          'Those that wait, and what became of the others. A placed one is a call, which `GET /api/calls` lists.',
        headers,
        querystring: ScheduledCallQuery,
        response: responses({ 200: pageOf(ScheduledCall) }, 422),
      },
    },
    async (request) => {
      const { status, phone_number } = request.query;
      return schedules.list(requireCaller(request), { status, phone_number }, pageRequest(request.query));
    },
  );
  app.get(
    '/api/scheduled-calls/:scheduled_call_id',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'getScheduledCall',
        summary: 'Get a scheduled call',
        description: 'When it is placed; or the call that it has become, or why it has not.',
        params,
        headers,
        response: responses({ 200: ScheduledCall }, 404, 422),
      },
    },
    async (request) => schedules.get(requireCaller(request), request.params.scheduled_call_id),
  );
  app.patch(
    '/api/scheduled-calls/:scheduled_call_id',
    {
      config: { userRequired: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'moveScheduledCall',
        audit: { changes: 'scheduled_call.moved' },
        summary: 'Give a scheduled call another time',
        description: 'With `at` or `window`, as when it was scheduled. 409 once it is placed or has ended.',
        params,
        headers,
        body: ScheduledCallMove,
        response: responses({ 200: ScheduledCall }, 404, 409, 413, 415, 422),
      },
    },
    async (request) =>
      schedules.move(requireCaller(request), request.params.scheduled_call_id, request.body, actorOf(request)),
  );
  app.post(
    '/api/scheduled-calls/:scheduled_call_id/cancel',
    {
      config: { userRequired: true, access: 'supervise' },
      schema: {
        tags,
        operationId: 'cancelScheduledCall',
        audit: { changes: 'scheduled_call.canceled' },
        summary: 'Cancel a scheduled call',
        description: 'From the answer on it is not placed any more. 409 once it is placed or has ended.',
        params,
        headers,
        response: responses({ 200: ScheduledCall }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => schedules.cancel(requireCaller(request), request.params.scheduled_call_id, actorOf(request)),
  );
}

export function callBackRoutes(app: Server, callBacks: CallBacks): void {
  const common = { tags, params: Type.Object({ session_id: Id }), headers };
  app.post(
    '/api/sessions/:session_id/call-backs/propose',
    {
      config: { isForWorkers: true, stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        ...common,
        operationId: 'proposeCallBack',
        summary: 'Propose a time for a call back',
        description:
          'For the worker of a conversation whose agent has `tools.call_back`: checks the time against these bounds and the policies, and remembers it for 15 minutes. Nothing is booked: read it back, and confirm it.',
        body: CallBackProposal,
        response: responses({ 200: ProposedCallBack }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => callBacks.propose(request.params.session_id, request.body, request.caller),
  );
  app.post(
    '/api/sessions/:session_id/call-backs/confirm',
    {
      config: { isForWorkers: true, stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        ...common,
        operationId: 'confirmCallBack',
        summary: 'Book the call back that was proposed',
        description:
          'Once the person has agreed to the time. Replaces an earlier call back of this conversation. 409 unless this time was proposed.',
        body: CallBackConfirmation,
        response: responses({ 200: ScheduledCall }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => callBacks.confirm(request.params.session_id, request.body, request.caller),
  );
}
