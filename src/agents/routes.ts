import { Type } from 'typebox';
import { assertSameUser, requireCaller } from '../http/caller.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { AnyQuery, Id, listOf, UserHeader } from '../http/wire.ts';
import type { Agents } from './agents.ts';
import { Agent, AgentCreate, AgentUpdate } from './schema.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const headers = UserHeader;

export function agentRoutes(app: Server, agents: Agents): void {
  app.post(
    '/api/agents/',
    {
      schema: {
        tags,
        operationId: 'createAgent',
        summary: 'Create an agent',
        description:
          '`type` is assigned from `config` when it is not given: `STT`, `LLM` or `TTS` if `config` has exactly that key (`stt`, `llm`, `tts`), `PIPELINE` otherwise.',
        headers,
        querystring: AnyQuery,
        body: AgentCreate,
        response: responses({ 201: Agent }, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      assertSameUser(request.caller, request.body.user_id);
      reply.status(201);
      return agents.create(request.body);
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
    async (request) => agents.list(requireCaller(request)),
  );
  app.get(
    '/api/agents/:agent_id',
    {
      config: { access: 'worker' },
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
    async (request) => agents.get(request.params.agent_id, request.caller),
  );
  app.patch(
    '/api/agents/:agent_id',
    {
      schema: {
        tags,
        operationId: 'updateAgent',
        summary: 'Update an agent',
        description:
          'Fields that are absent stay as they are; `description: null` clears it; `config` replaces the whole configuration. An agent with `is_active: false` takes no calls.',
        params,
        headers,
        querystring: AnyQuery,
        body: AgentUpdate,
        response: responses({ 200: Agent }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => agents.update(request.params.agent_id, request.body, request.caller),
  );
  app.delete(
    '/api/agents/:agent_id',
    {
      schema: {
        tags,
        operationId: 'deleteAgent',
        summary: 'Delete an agent',
        description:
          'Its sessions, transcripts and costs stay. 409 while it has a phone number: release the number first.',
        params,
        headers,
        response: responses({ 204: Type.Null() }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      await agents.remove(request.params.agent_id, request.caller);
      return reply.status(204).send(null);
    },
  );
}
