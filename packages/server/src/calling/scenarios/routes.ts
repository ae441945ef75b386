import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Drafting } from './drafting.ts';
import type { Scenarios } from './scenarios.ts';
import { Scenario, ScenarioDraft, ScenarioPut, ScenarioSummary } from './schema.ts';

const tags = ['tests'];
const headers = UserHeader;
const params = Type.Object({ scenario_id: Id });

export function scenarioRoutes(app: Server, scenarios: Scenarios): void {
  app.post(
    '/api/scenarios',
    {
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'saveScenario',
        audit: { changes: 'scenario.saved' },
        summary: 'Create or replace a scenario',
        description:
          'Its name is in its text: 201 for a new one, 200 for one that replaces the user’s scenario with this name. 422 lists every mistake of the text, with `line` and `column` in `ctx`.',
        headers,
        body: ScenarioPut,
        response: responses({ 200: Scenario, 201: Scenario }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { scenario, is_new } = await scenarios.save(requireCaller(request), request.body.text, actorOf(request));
      reply.status(is_new ? 201 : 200);
      return scenario;
    },
  );
  app.get(
    '/api/scenarios',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listScenarios',
        summary: 'List scenarios, newest first',
        description: 'Those of the calling user, without their texts.',
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(ScenarioSummary) }, 422),
      },
    },
    async (request) => scenarios.list(requireCaller(request), pageRequest(request.query)),
  );
  app.get(
    '/api/scenarios/:scenario_id',
    {
      schema: {
        tags,
        operationId: 'getScenario',
        summary: 'Get a scenario',
        description: 'With its text as it was sent.',
        params,
        headers,
        response: responses({ 200: Scenario }, 404, 422),
      },
    },
    async (request) => scenarios.get(request.params.scenario_id, request.caller),
  );
  app.delete(
    '/api/scenarios/:scenario_id',
    {
      schema: {
        tags,
        operationId: 'deleteScenario',
        audit: { changes: 'scenario.deleted' },
        summary: 'Delete a scenario',
        description: 'Suites that had it go on without it. Results of test runs stay.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await scenarios.remove(request.params.scenario_id, request.caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}

export function draftRoutes(app: Server, draft: Drafting['draft']): void {
  app.post(
    '/api/calls/:call_id/scenario',
    {
      schema: {
        tags,
        operationId: 'draftScenario',
        audit: { access: 'transcripts.read', target: 'session/:call_id', only: 'operators' },
        summary: 'Draft a scenario of a call, or of a chat',
        description:
          'The words of the caller as a script, with the variables, the time and the version of the agent. The functions of that version answer as they did, as far as that was recorded; others say that all is well: write what those should answer, and what you expect. Nothing is saved.',
        params: Type.Object({ call_id: Id }),
        headers,
        response: responses({ 200: ScenarioDraft }, 404, 413, 415, 422),
      },
    },
    async (request) => draft(request.params.call_id, request.caller),
  );
}
