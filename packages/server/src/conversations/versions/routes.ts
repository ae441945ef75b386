import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { actorOf } from '../../http/caller.ts';
import { IfMatchHeader, versionsOf } from '../../http/if-match.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { PageQuery, pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { AppError } from '../../lib/errors.ts';
import {
  AgentDraft,
  AgentVersion,
  AgentVersionSummary,
  DraftPut,
  Source,
  VersionCreate,
  VersionDiff,
  VersionNumber,
} from './schema.ts';
import type { Versions } from './versions.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const headers = UserHeader;
/** Fits into the database's integer. */
const NUMBER = /^[1-9]\d{0,8}$/;
export const isNumber = (text: string) => NUMBER.test(text);

export function draftRoutes(app: Server, { drafts }: Versions): void {
  app.get(
    '/api/agents/:agent_id/draft',
    {
      schema: {
        tags,
        operationId: 'getAgentDraft',
        summary: 'Get the draft of an agent',
        description:
          'A draft is what the agent may become: no phone call gets it. Without one (`has_changes: false`) this is what most calls get. The `ETag` is for `If-Match`.',
        params,
        headers,
        response: responses({ 200: AgentDraft }, 404, 422),
      },
    },
    async (request, reply) => {
      const draft = await drafts.get(request.params.agent_id, request.caller);
      reply.header('etag', `"${draft.revision}"`);
      return draft;
    },
  );
  app.put(
    '/api/agents/:agent_id/draft',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'putAgentDraft',
        audit: { changes: 'agent.draft_changed' },
        summary: 'Save the draft of an agent',
        description:
          'Replaces the whole draft. Any configuration is saved; making a version of it checks it. A draft that says what most calls get is removed. With `If-Match`, 412 if somebody has saved another one since: read it to see the other one. `type` is derived from `config` unless given.',
        params,
        headers: Type.Object({ ...UserHeader.properties, ...IfMatchHeader }),
        body: DraftPut,
        response: responses({ 200: AgentDraft }, 404, 412, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { params, body, caller } = request;
      const draft = await drafts.put(params.agent_id, body, versionsOf(request), caller, actorOf(request));
      reply.header('etag', `"${draft.revision}"`);
      return draft;
    },
  );
}

export function versionRoutes(app: Server, versions: Versions): void {
  app.post(
    '/api/agents/:agent_id/versions',
    {
      config: { stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'createAgentVersion',
        audit: { may_change: 'agent.version_created', failures: 'all' },
        summary: 'Make a version of an agent',
        description:
          'A version is what calls get of an agent, and never changes; calls get it once it is released. It is made from the draft, or from another version. 422 with all problems of its configuration. The same content is the same version: 200 then, and the note is added if it has none. From a draft with `If-Match`, its `revision`, 412 if somebody has saved another one since.',
        params,
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader, ...IfMatchHeader }),
        body: VersionCreate,
        response: responses({ 200: AgentVersion, 201: AgentVersion }, 404, 409, 412, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { params, body, caller } = request;
      const asked = { ...body, tags: versionsOf(request) };
      const made = await versions.create(params.agent_id, asked, caller, actorOf(request), idempotencyOf(request));
      reply.status(made.is_new ? 201 : 200);
      return made.version;
    },
  );
  app.get(
    '/api/agents/:agent_id/versions',
    {
      schema: {
        tags,
        operationId: 'listAgentVersions',
        summary: 'List the versions of an agent, newest first',
        description: 'Without their content, with cursor pagination.',
        params,
        headers,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: responses({ 200: pageOf(AgentVersionSummary) }, 404, 422),
      },
    },
    async ({ params, query, caller }) => versions.list(params.agent_id, pageRequest(query, isNumber), caller),
  );
  app.get(
    '/api/agents/:agent_id/versions/:number',
    {
      schema: {
        tags,
        operationId: 'getAgentVersion',
        summary: 'Get a version of an agent',
        description: 'With its content. 404 for one that is no longer kept.',
        params: Type.Object({ agent_id: Id, number: Type.Unsafe<string>(VersionNumber) }),
        headers,
        response: responses({ 200: AgentVersion }, 404, 422),
      },
    },
    async ({ params: { agent_id, number }, caller }) => versions.get(agent_id, toNumber(number), caller),
  );
  app.get(
    '/api/agents/:agent_id/versions/:from/diff/:to',
    {
      schema: {
        tags,
        operationId: 'diffAgentVersions',
        summary: 'Get the changes between two versions of an agent',
        description: 'As a JSON Patch, and by lines for each long text. `draft` is the draft.',
        params: Type.Object({ agent_id: Id, from: Type.Unsafe<string>(Source), to: Type.Unsafe<string>(Source) }),
        headers,
        response: responses({ 200: VersionDiff }, 404, 422),
      },
    },
    async ({ params: { agent_id, from, to }, caller }) => versions.diff(agent_id, toSource(from), toSource(to), caller),
  );
}

const toSource = (text: string) => (text === 'draft' ? text : toNumber(text));

/** Throws `not_found` for what is no number of a version. */
function toNumber(text: string): number {
  if (!isNumber(text)) throw new AppError('not_found');
  return Number(text);
}
