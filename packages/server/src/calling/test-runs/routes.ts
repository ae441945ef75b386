import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { CallReplay, TestResult, TestRun, TestRunCreate, TestRunListQuery } from './schema.ts';
import type { TestRuns } from './test-runs.ts';

const tags = ['tests'];
const headers = UserHeader;
const params = Type.Object({ test_run_id: Id });

export function testRunRoutes(app: Server, runs: TestRuns): void {
  app.post(
    '/api/test-runs',
    {
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'startTestRun',
        summary: 'Run scenarios with an agent',
        description:
          'Runs a suite, or chosen scenarios, or the `texts` of scenarios that are not saved, or replays an agent’s calls, with one version of an agent or its draft, which becomes a version. Workers hold the conversations, as tasks of the kind `scenario`; in the sandbox the service does, by rules. It is no call, and costs no budget unless that has `count_tests`: once such a budget is spent, 402 `budget_exceeded`, and scenarios of open runs that no worker has begun end without a result. 429 `too_many_test_runs` while the user has three that have not ended. 422 lists the mistakes of `texts`, with `line` and `column` in `ctx`; only a run of a suite opens a gate.',
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: TestRunCreate,
        response: responses({ 201: TestRun }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return runs.start(requireCaller(request), request.body, idempotencyOf(request), actorOf(request));
    },
  );
  app.get(
    '/api/test-runs',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listTestRuns',
        summary: 'List test runs, newest first',
        description: 'Those of the calling user. Ended ones are deleted after 30 days.',
        headers,
        querystring: TestRunListQuery,
        response: responses({ 200: pageOf(TestRun) }, 422),
      },
    },
    async (request) => runs.list(requireCaller(request), request.query, pageRequest(request.query)),
  );
  app.get(
    '/api/test-runs/:test_run_id',
    {
      schema: {
        tags,
        operationId: 'getTestRun',
        summary: 'Get a test run',
        description: '`passed` once every scenario has passed, `failed` once all have ended and one has not.',
        params,
        headers,
        response: responses({ 200: TestRun }, 404, 422),
      },
    },
    async (request) => runs.get(request.params.test_run_id, request.caller),
  );
  app.get(
    '/api/test-runs/:test_run_id/results',
    {
      schema: {
        tags,
        operationId: 'listTestResults',
        audit: { access: 'transcripts.read', target: 'test_run/:test_run_id', only: 'operators' },
        summary: 'List the results of a test run',
        description:
          'For each scenario: how many runs passed, the interval of their rate, why one failed, and the conversations turn by turn. In the order of the suite; a page ends once it has 1 MiB.',
        params,
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(TestResult) }, 404, 422),
      },
    },
    async ({ params, query, caller }) => runs.results(params.test_run_id, pageRequest(query), caller),
  );
  app.post(
    '/api/test-runs/:test_run_id/cancel',
    {
      schema: {
        tags,
        operationId: 'cancelTestRun',
        summary: 'Cancel a test run',
        description: 'Results that are there stay. Canceling one that has ended changes nothing.',
        params,
        headers,
        response: responses({ 200: TestRun }, 404, 413, 415, 422),
      },
    },
    async (request) => runs.cancel(request.params.test_run_id, request.caller),
  );
}

export function replayRoutes(app: Server, runs: TestRuns): void {
  app.post(
    '/api/calls/:call_id/replay',
    {
      bodyLimit: SMALL_BODY,
      config: { stores: true },
      schema: {
        tags,
        operationId: 'replayCall',
        audit: { access: 'transcripts.read', target: 'session/:call_id', only: 'operators' },
        summary: 'Replay a call, or a chat, with a version of its agent',
        description:
          'A test run that says what the caller said once more. Its result has the call as it was, and where the conversation first goes another way: with which words, and with which calls of tools. Functions answer as they did, as far as that was recorded; others say that all is well. `calls` of a test run replays many.',
        params: Type.Object({ call_id: Id }),
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: CallReplay,
        response: responses({ 201: TestRun }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      reply.status(201);
      const { params: of, body, caller } = request;
      return runs.replay(of.call_id, body, caller, idempotencyOf(request), actorOf(request));
    },
  );
}
