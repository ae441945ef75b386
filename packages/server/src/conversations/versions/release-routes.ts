import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { actorOf } from '../../http/caller.ts';
import { IfMatchHeader, versionsOf } from '../../http/if-match.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { isNumber } from './routes.ts';
import { AgentRelease, CurrentRelease, PublishingPut, ReleasePut } from './schema.ts';
import type { Versions } from './versions.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const headers = UserHeader;

export function releaseRoutes(app: Server, { releases }: Versions): void {
  app.get(
    '/api/agents/:agent_id/release',
    {
      schema: {
        tags,
        operationId: 'getAgentRelease',
        summary: 'Get the release of an agent',
        description: 'Which versions calls get, and how many of them. The `ETag`, its `number`, is for `If-Match`.',
        params,
        headers,
        response: responses({ 200: CurrentRelease }, 404, 422),
      },
    },
    async (request, reply) => {
      const release = await releases.get(request.params.agent_id, request.caller);
      reply.header('etag', `"${release.number}"`);
      return release;
    },
  );
  app.put(
    '/api/agents/:agent_id/release',
    {
      config: { stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'releaseAgent',
        audit: { may_change: 'agent.released', failures: 'all' },
        summary: 'Release versions of an agent',
        description:
          'Calls that begin from now on get these versions; a call keeps its version. The agent shows the one with the most weight. 422 for a version that was never live and whose configuration has problems. What is released already is not released again. With `gate`, a suite, 409 `gate_not_passed` unless the newest test run of the suite as it is now has passed for each version, with as many `runs` as the scenarios ask for and without `cassette: replay`; `test_run_id` is the run that has not. With `If-Match`, 412 if calls get another release since.',
        params,
        headers: Type.Object({ ...UserHeader.properties, ...IfMatchHeader }),
        body: ReleasePut,
        response: responses({ 200: CurrentRelease }, 404, 409, 412, 413, 415, 422),
      },
    },
    async (request) => {
      const { params, body, caller } = request;
      return releases.put(params.agent_id, { ...body, tags: versionsOf(request) }, caller, actorOf(request));
    },
  );
  app.post(
    '/api/agents/:agent_id/rollback',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'rollBackAgent',
        audit: { changes: 'agent.rolled_back' },
        summary: 'Roll an agent back to its previous release',
        description:
          'Releases again what was released before; repeated, what was released before that. 409 `no_previous_release` if there is none. With `If-Match`, 412 if calls get another release since: two people who roll back at once go back by one. Send an `Idempotency-Key` to repeat the request safely.',
        params,
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader, ...IfMatchHeader }),
        response: responses({ 200: CurrentRelease }, 404, 409, 412, 413, 415, 422),
      },
    },
    async (request) => {
      const { params, caller } = request;
      const tags = versionsOf(request);
      return releases.rollBack(params.agent_id, tags, caller, actorOf(request), idempotencyOf(request));
    },
  );
  app.get(
    '/api/agents/:agent_id/releases',
    {
      schema: {
        tags,
        operationId: 'listAgentReleases',
        summary: 'List the releases of an agent, newest first',
        description:
          'Each release names its versions, its time, and who made it. An update of the agent that is live at once is a release, too.',
        params,
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(AgentRelease) }, 404, 422),
      },
    },
    async ({ params, query, caller }) => releases.list(params.agent_id, pageRequest(query, isNumber), caller),
  );
  app.put(
    '/api/agents/:agent_id/publishing',
    {
      config: { stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'setAgentPublishing',
        audit: { changes: 'agent.publishing_changed' },
        summary: 'Set how an agent is changed',
        description: 'At once by updating it, or only by releases.',
        params,
        headers,
        body: PublishingPut,
        response: responses({ 200: CurrentRelease }, 404, 413, 415, 422),
      },
    },
    async (request) => {
      const { params, body, caller } = request;
      return releases.setPublishing(params.agent_id, body.publishing, caller, actorOf(request));
    },
  );
}
