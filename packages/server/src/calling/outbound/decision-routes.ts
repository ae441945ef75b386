import { requireCaller } from '../../http/caller.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { DecisionQuery, DialCheck, DialCheckRequest, DialDecision } from './decision-schema.ts';
import type { Decisions } from './dial-decisions.ts';

const tags = ['outreach'];
const headers = UserHeader;

export function decisionRoutes(app: Server, decisions: Decisions): void {
  app.post(
    '/api/dial-checks',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'checkDial',
        summary: 'Ask whether a phone may be called',
        description:
          'Decides as a call with these fields would be decided now. Nothing is dialled, counted or recorded.',
        headers,
        body: DialCheckRequest,
        response: responses({ 200: DialCheck }, 404, 413, 415, 422),
      },
    },
    async (request) => decisions.check(requireCaller(request), request.body),
  );
  app.get(
    '/api/dial-decisions',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listDialDecisions',
        summary: 'List decisions about dialling, newest first',
        description:
          'Why a person was called, or was not. Recorded for users with policies, and for others if a number is suppressed.',
        headers,
        querystring: DecisionQuery,
        response: responses({ 200: pageOf(DialDecision) }, 422),
      },
    },
    async (request) => decisions.list(requireCaller(request), request.query.phone_number, pageRequest(request.query)),
  );
}
