import { Type } from 'typebox';
import { requireCaller } from '../../http/caller.ts';
import { daysOf } from '../../http/date-range.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { GROUPS, LatencyQuery, LatencyReport, Turn, TurnListQuery, TurnsCreate, TurnsReported } from './schema.ts';
import type { Turns } from './turns.ts';

const headers = UserHeader;
const params = Type.Object({ session_id: Id });

export function turnRoutes(app: Server, turns: Turns): void {
  app.post(
    '/api/sessions/:session_id/turns',
    {
      config: { access: 'operate', isForWorkers: true },
      schema: {
        tags: ['sessions'],
        operationId: 'reportTurns',
        summary: 'Report the latency of turns, and calls of tools',
        description:
          'For each turn, the end of speech and the delay until the transcript, the first token and the first audio; and what the agent’s tools were asked and have answered. Idempotent: known turns and calls are ignored. Accepted until a day after the session has ended.',
        params,
        headers,
        body: TurnsCreate,
        response: responses({ 201: TurnsReported }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return turns.add(request.params.session_id, request.body, request.caller);
    },
  );
  app.get(
    '/api/sessions/:session_id/turns',
    {
      config: { isForWorkers: true },
      schema: {
        tags: ['sessions'],
        operationId: 'listTurns',
        summary: 'List the turns of a session',
        description: 'In the order of their numbers, with cursor pagination.',
        params,
        headers,
        querystring: TurnListQuery,
        response: responses({ 200: pageOf(Turn) }, 404, 422),
      },
    },
    async (request) =>
      turns.list(
        request.params.session_id,
        pageRequest(request.query, (key) => /^\d{1,5}$/.test(key)),
        request.caller,
      ),
  );
  app.get(
    '/api/stats/latency',
    {
      config: { userRequired: true },
      schema: {
        tags: ['stats'],
        operationId: 'getLatency',
        summary: 'Get the latency of turns',
        description:
          'Mean, p50 and p95 of the turns of the user, in total and by agent, version of the agent, or model. A turn counts for the day (UTC) on which it was reported. Deleted turns stay in the figures; those of an erased user do not.',
        headers,
        querystring: LatencyQuery,
        response: responses({ 200: LatencyReport }, 422),
      },
    },
    async (request) => {
      const { agent_id = null, agent_version = null, group_by = 'agent,model' } = request.query;
      const [first = 'agent', ...others] = GROUPS.filter((name) => group_by.split(',').includes(name));
      const filter = { user_id: requireCaller(request), days: daysOf(request.query), agent_id, agent_version };
      return turns.report(filter, [first, ...others]);
    },
  );
}
