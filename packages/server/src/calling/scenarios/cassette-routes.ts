import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Cassettes } from './cassettes.ts';
import { ScenarioCassette } from './schema.ts';

const tags = ['tests'];
const headers = UserHeader;
const params = Type.Object({ scenario_id: Id });

export function cassetteRoutes(app: Server, cassettes: Cassettes): void {
  app.get(
    '/api/scenarios/:scenario_id/cassette',
    {
      schema: {
        tags,
        operationId: 'getCassette',
        summary: 'Get what was recorded of a scenario',
        description:
          'The answers of language models that the last test run with `cassette: record` has recorded, with the requests that they answer: a file for `npm run agent-tests -- --replay`. 404 if nothing is recorded.',
        params,
        headers,
        response: responses({ 200: ScenarioCassette }, 404, 422),
      },
    },
    async (request) => cassettes.get(request.params.scenario_id, request.caller),
  );
  app.delete(
    '/api/scenarios/:scenario_id/cassette',
    {
      schema: {
        tags,
        operationId: 'deleteCassette',
        audit: { changes: 'cassette.deleted' },
        summary: 'Delete what was recorded of a scenario',
        description: 'Test runs with `cassette: replay` then fail until it is recorded again.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await cassettes.remove(request.params.scenario_id, request.caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}
