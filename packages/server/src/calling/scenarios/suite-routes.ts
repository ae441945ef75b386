import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Scenarios } from './scenarios.ts';
import { Suite, SuitePut } from './schema.ts';

const tags = ['tests'];
const headers = UserHeader;
const params = Type.Object({ suite_id: Id });

export function suiteRoutes(app: Server, { suites }: Scenarios): void {
  app.post(
    '/api/suites',
    {
      bodyLimit: SMALL_BODY,
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'saveSuite',
        audit: { changes: 'suite.saved' },
        summary: 'Create or replace a suite',
        description:
          'Scenarios that are run together. 201 for a new one, 200 for one that replaces the user’s suite with this name.',
        headers,
        body: SuitePut,
        response: responses({ 200: Suite, 201: Suite }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { suite, is_new } = await suites.save(requireCaller(request), request.body, actorOf(request));
      reply.status(is_new ? 201 : 200);
      return suite;
    },
  );
  app.get(
    '/api/suites',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listSuites',
        summary: 'List suites, newest first',
        description: 'Those of the calling user.',
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(Suite) }, 422),
      },
    },
    async (request) => suites.list(requireCaller(request), pageRequest(request.query)),
  );
  app.get(
    '/api/suites/:suite_id',
    {
      schema: {
        tags,
        operationId: 'getSuite',
        summary: 'Get a suite',
        description: '404 for an id that is unknown, malformed, or another user’s.',
        params,
        headers,
        response: responses({ 200: Suite }, 404, 422),
      },
    },
    async (request) => suites.get(request.params.suite_id, request.caller),
  );
  app.delete(
    '/api/suites/:suite_id',
    {
      schema: {
        tags,
        operationId: 'deleteSuite',
        audit: { changes: 'suite.deleted' },
        summary: 'Delete a suite',
        description: 'Its scenarios and its test runs stay.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await suites.remove(request.params.suite_id, request.caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}
