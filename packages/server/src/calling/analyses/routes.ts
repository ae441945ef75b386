import { Type } from 'typebox';
import type { Db } from '../../db/tables.ts';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { daysOf } from '../../http/date-range.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Analyses } from './analyses.ts';
import type { Backfills } from './backfills.ts';
import { AnalysisRequest, Backfill, BackfillCreate, Analyses as List } from './schema.ts';
import { reportValues } from './stats.ts';
import { AnalysisStats, AnalysisStatsQuery, GROUPS } from './stats-schema.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id });

export function analysisRoutes(app: Server, analyses: Analyses): void {
  app.get(
    '/api/calls/:call_id/analyses',
    {
      schema: {
        tags,
        operationId: 'listAnalyses',
        audit: { access: 'transcripts.read', target: 'session/:call_id', only: 'operators' },
        summary: 'List the analyses of a call',
        description: 'The values that extractors have read out of its transcript, each with the lines that say so.',
        params,
        headers,
        response: responses({ 200: List }, 404, 422),
      },
    },
    async ({ params, caller }) => analyses.list(params.call_id, caller),
  );
  app.post(
    '/api/calls/:call_id/analyses',
    {
      bodyLimit: SMALL_BODY,
      config: { stores: true },
      schema: {
        tags,
        operationId: 'requestAnalyses',
        audit: { changes: 'call.analysis_requested' },
        summary: 'Analyse a call, or analyse it again',
        description:
          'By the extractors that are named, or by those of the call’s version of its agent. There is one analysis by each version of an extractor: its new result replaces the earlier one. Those in progress go on. Answers with all analyses of the call.',
        params,
        headers,
        body: AnalysisRequest,
        response: responses({ 202: List }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { params, body, caller } = request;
      reply.status(202);
      return analyses.request(params.call_id, body.extractors, caller, actorOf(request));
    },
  );
}

export function backfillRoutes(app: Server, backfills: Backfills): void {
  app.post(
    '/api/analyses/backfill',
    {
      bodyLimit: SMALL_BODY,
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'backfillAnalyses',
        audit: { changes: 'analysis_backfill.started' },
        summary: 'Analyse earlier calls, or estimate that',
        description:
          'By default an estimate: 200, and nothing is done. With `estimate: false`, 201: the newest calls first, those alone that the version of the extractor has not analysed yet and whose `when` fits; its `sample` does not count.',
        headers,
        body: BackfillCreate,
        response: responses({ 200: Backfill, 201: Backfill }, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      const { extractor, filter, estimate = true } = request.body;
      const user_id = requireCaller(request);
      if (estimate) return backfills.estimate(user_id, extractor, filter);
      reply.status(201);
      return backfills.start(user_id, extractor, filter, actorOf(request));
    },
  );
  app.get(
    '/api/analyses/backfills/:backfill_id',
    {
      schema: {
        tags,
        operationId: 'getAnalysisBackfill',
        summary: 'Get the progress of a backfill',
        description: 'Kept until 30 days after it has begun.',
        params: Type.Object({ backfill_id: Id }),
        headers,
        response: responses({ 200: Backfill }, 404, 422),
      },
    },
    async ({ params, caller }) => backfills.get(params.backfill_id, caller),
  );
  app.get(
    '/api/analyses/backfills',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listAnalysisBackfills',
        summary: 'List backfills, newest first',
        description: 'Those of the calling user, until 30 days after they have begun.',
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Backfill) }, 422),
      },
    },
    async (request) => backfills.list(requireCaller(request), pageRequest(request.query)),
  );
  app.post(
    '/api/analyses/backfills/:backfill_id/cancel',
    {
      schema: {
        tags,
        operationId: 'cancelAnalysisBackfill',
        audit: { changes: 'analysis_backfill.canceled' },
        summary: 'Cancel a backfill',
        description:
          'Analyses that nobody has begun are not made; those that there are stay. Canceling one that has ended changes nothing.',
        params: Type.Object({ backfill_id: Id }),
        headers,
        response: responses({ 200: Backfill }, 404, 413, 415, 422),
      },
    },
    async (request) => backfills.cancel(request.params.backfill_id, request.caller, actorOf(request)),
  );
}

export function analysisStatsRoutes(app: Server, db: Db): void {
  app.get(
    '/api/stats/analyses',
    {
      exposeHeadRoute: false,
      schema: {
        tags: ['stats'],
        operationId: 'getAnalysisStats',
        summary: 'Count calls by a value of their analyses',
        description:
          'Calls by the values of a field, for example by outcome, or the mean score by version of the agent. A `service` key without a user gets those of all users. Calls of an erased user are not counted.',
        headers,
        querystring: AnalysisStatsQuery,
        response: responses({ 200: AnalysisStats }, 422),
      },
    },
    async ({ query, caller }) => {
      const { field, extractor = null, agent_id = null, agent_version = null, group_by = 'value' } = query;
      const filter = { field, user_id: caller, extractor, agent_id, agent_version, days: daysOf(query) };
      const names = [...new Set(group_by.split(','))];
      return reportValues(
        db,
        filter,
        names.flatMap((name) => GROUPS.find((one) => one === name) ?? []),
      );
    },
  );
}
