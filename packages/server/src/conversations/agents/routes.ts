import { Type } from 'typebox';
import { actorOf, assertSameUser, requireCaller } from '../../http/caller.ts';
import { etagOf, IfMatchHeader, versionsOf } from '../../http/if-match.ts';
import { createLongLists } from '../../http/long-lists.ts';
import { pageOf, pageRequest } from '../../http/paging.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery, Id, listOf, UserHeader } from '../../http/wire.ts';
import { textProblem } from '../../lib/json.ts';
import type { Agents } from './agents.ts';
import { checkConfig } from './config-check.ts';
import { AgentConfigSchema, CONFIG_SCHEMA, ConfigCheck, ConfigCheckRequest } from './config-schema.ts';
import { Agent, AgentCreate, AgentUpdate, User, UserListQuery } from './schema.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const headers = UserHeader;
const conditional = Type.Object({ ...UserHeader.properties, ...IfMatchHeader });

export function agentRoutes(app: Server, agents: Agents): void {
  const sendLong = createLongLists();
  app.post(
    '/api/agents/',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'createAgent',
        audit: { changes: 'agent.created' },
        summary: 'Create an agent',
        description:
          '`type` is derived from `config` unless given: `STT`, `LLM` or `TTS` if `config` has exactly that key (`stt`, `llm`, `tts`), `PIPELINE` otherwise.',
        headers,
        querystring: AnyQuery,
        body: AgentCreate,
        response: responses({ 201: Agent }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      assertSameUser(request.caller, request.body.user_id);
      reply.status(201);
      return agents.create(request.body, actorOf(request));
    },
  );
  app.get(
    '/api/agents/',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listAgents',
        summary: 'List the agents of the calling user, newest first',
        description: 'All agents of the user in one list; deleted ones are left out, inactive ones are not.',
        headers,
        querystring: AnyQuery,
        response: responses({ 200: listOf(Agent) }, 422),
      },
    },
    async (request, reply) => {
      const user = requireCaller(request);
      return (await agents.list(user)) ?? sendLong(reply, user, (after) => agents.listPart(user, after));
    },
  );
  app.get(
    '/api/users',
    {
      config: { access: 'read_all' },
      schema: {
        tags,
        operationId: 'listUsers',
        summary: 'List the users that have agents',
        description: 'In the order of their ids, with cursor pagination.',
        querystring: UserListQuery,
        response: responses({ 200: pageOf(User) }, 422),
      },
    },
    async ({ query }) =>
      agents.users(
        query.prefix ?? '',
        pageRequest(query, (key) => !textProblem(key)),
      ),
  );
  app.get(
    '/api/agents/:agent_id',
    {
      config: { isForWorkers: true },
      schema: {
        tags,
        operationId: 'getAgent',
        summary: 'Get one agent',
        description: '404 for an id that is unknown, malformed, or another user\u2019s.',
        params,
        headers,
        querystring: AnyQuery,
        response: responses({ 200: Agent }, 404, 422),
      },
    },
    async (request, reply) => {
      const agent = await agents.get(request.params.agent_id, request.caller);
      reply.header('etag', etagOf(agent));
      return agent;
    },
  );
  app.patch(
    '/api/agents/:agent_id',
    {
      config: { stores: true },
      schema: {
        tags,
        operationId: 'updateAgent',
        audit: { changes: 'agent.updated' },
        summary: 'Update an agent',
        description:
          'Fields that are absent stay as they are; `description: null` clears it; `config` replaces the whole configuration. An agent with `is_active: false` takes no calls. With `If-Match`, 412 if it has changed since that version.',
        params,
        headers: conditional,
        querystring: AnyQuery,
        body: AgentUpdate,
        response: responses({ 200: Agent }, 404, 409, 412, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { params, body, caller } = request;
      const agent = await agents.update(params.agent_id, body, caller, actorOf(request), versionsOf(request));
      reply.header('etag', etagOf(agent));
      return agent;
    },
  );
  app.delete(
    '/api/agents/:agent_id',
    {
      schema: {
        tags,
        operationId: 'deleteAgent',
        audit: { changes: 'agent.deleted' },
        summary: 'Delete an agent',
        description:
          'Its sessions, transcripts and costs stay. 409 while it has a phone number: release the number first; and under a legal hold.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await agents.remove(request.params.agent_id, request.caller, actorOf(request));
      return reply.status(204).send(null);
    },
  );
}

/** A self-contained document: TypeBox schemas are JSON Schema 2020-12. */
const CONFIG_DOCUMENT = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...CONFIG_SCHEMA };

export function configSchemaRoutes(app: Server): void {
  app.get(
    '/api/schemas/agent-config',
    {
      config: { isForWorkers: true },
      schema: {
        tags,
        operationId: 'getAgentConfigSchema',
        summary: 'Get the JSON schema of an agent\u2019s configuration',
        description:
          'The fields that workers and consoles understand: instructions, greeting, models, voice, tools, turn detection, voicemail. `config` stays free-form: agents may hold other fields, and the schema refuses nothing.',
        headers,
        response: responses({ 200: AgentConfigSchema }, 422),
      },
    },
    async () => CONFIG_DOCUMENT,
  );
  app.post(
    '/api/schemas/agent-config/validate',
    {
      config: { isForWorkers: true, access: 'read' },
      schema: {
        tags,
        operationId: 'validateAgentConfig',
        summary: 'Validate an agent\u2019s configuration',
        description:
          'Returns all problems of the configuration, in the form of a 422, and the variables that its texts use. Stores nothing.',
        headers,
        body: ConfigCheckRequest,
        response: responses({ 200: ConfigCheck }, 413, 415, 422),
      },
    },
    async (request) => checkConfig(request.body.config),
  );
}
