import { Type } from 'typebox';
import { assertSameUser, requireCaller } from '../http/caller.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { Id, UserHeader } from '../http/wire.ts';
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
        summary: 'Create an agent',
        headers,
        body: AgentCreate,
        response: responses({ 201: Agent }, 413, 415, 422),
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
        summary: 'List the agents of the calling user, newest first',
        headers,
        response: responses({ 200: Type.Array(Agent) }, 422),
      },
    },
    async (request) => agents.list(requireCaller(request)),
  );
  app.get(
    '/api/agents/:agent_id',
    {
      config: { access: 'worker' },
      schema: { tags, summary: 'Get one agent', params, headers, response: responses({ 200: Agent }, 404, 422) },
    },
    async (request) => agents.get(request.params.agent_id, request.caller),
  );
  app.patch(
    '/api/agents/:agent_id',
    {
      schema: {
        tags,
        summary: 'Update an agent',
        params,
        headers,
        body: AgentUpdate,
        response: responses({ 200: Agent }, 404, 413, 415, 422),
      },
    },
    async (request) => agents.update(request.params.agent_id, request.body, request.caller),
  );
  app.delete(
    '/api/agents/:agent_id',
    {
      schema: {
        tags,
        summary: 'Delete an agent; its history stays',
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
