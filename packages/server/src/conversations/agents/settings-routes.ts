// Settings of agents that are no part of their versions.
import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { etagOf } from '../../http/if-match.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Agents } from './agents.ts';
import {
  Agent,
  AgentCallbackUrl,
  AgentCallbackUrlUpdate,
  AgentExternalKey,
  AgentExternalKeyUpdate,
  AgentLegalHold,
  AgentLegalHoldUpdate,
} from './schema.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const headers = UserHeader;

export function agentCallbackRoutes(app: Server, agents: Agents): void {
  app.get(
    '/api/agents/:agent_id/callback-url',
    {
      schema: {
        tags,
        operationId: 'getAgentCallbackUrl',
        summary: 'Get the callback URL of an agent',
        description: 'Where the events of its calls go.',
        params,
        headers,
        response: responses({ 200: AgentCallbackUrl }, 404, 422),
      },
    },
    async (request) => agents.callbackUrl(request.params.agent_id, request.caller),
  );
  app.put(
    '/api/agents/:agent_id/callback-url',
    {
      config: { stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'setAgentCallbackUrl',
        audit: { changes: 'agent.callback_url_changed' },
        summary: 'Set the callback URL of an agent',
        description:
          'Holds for calls from now on, inbound ones too, unless a call has a `callback_url` of its own. Null removes it.',
        params,
        headers,
        body: AgentCallbackUrlUpdate,
        response: responses({ 200: AgentCallbackUrl }, 404, 413, 415, 422),
      },
    },
    async (request) =>
      agents.setCallbackUrl(request.params.agent_id, request.body.callback_url, request.caller, actorOf(request)),
  );
}

export function externalKeyRoutes(app: Server, agents: Agents): void {
  app.get(
    '/api/agents/:agent_id/external-key',
    {
      schema: {
        tags,
        operationId: 'getAgentExternalKey',
        summary: 'Get the external key of an agent',
        description: 'The name by which files and scripts refer to it; null: none.',
        params,
        headers,
        response: responses({ 200: AgentExternalKey }, 404, 422),
      },
    },
    async (request) => agents.externalKey(request.params.agent_id, request.caller),
  );
  app.put(
    '/api/agents/:agent_id/external-key',
    {
      config: { stores: true },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'setAgentExternalKey',
        audit: { changes: 'agent.external_key_changed' },
        summary: 'Set the external key of an agent',
        description: 'Null removes it. 409 if another agent of the user has it. A deleted agent keeps none.',
        params,
        headers,
        body: AgentExternalKeyUpdate,
        response: responses({ 200: AgentExternalKey }, 404, 409, 413, 415, 422),
      },
    },
    async (request) =>
      agents.setExternalKey(request.params.agent_id, request.body.external_key, request.caller, actorOf(request)),
  );
  app.get(
    '/api/agents/by-key/:external_key',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'getAgentByExternalKey',
        summary: 'Get the agent with an external key',
        description: 'Among the agents of the calling user.',
        params: Type.Object({ external_key: Type.String() }),
        headers,
        response: responses({ 200: Agent }, 404, 422),
      },
    },
    async (request, reply) => {
      const agent = await agents.byExternalKey(request.params.external_key, requireCaller(request));
      reply.header('etag', etagOf(agent));
      return agent;
    },
  );
}

export function legalHoldRoutes(app: Server, agents: Agents): void {
  app.get(
    '/api/agents/:agent_id/legal-hold',
    {
      schema: {
        tags,
        operationId: 'getAgentLegalHold',
        summary: 'Get the legal hold of an agent',
        description: 'Whether none of its conversations are deleted; a hold of its user is not shown here.',
        params,
        headers,
        response: responses({ 200: AgentLegalHold }, 404, 422),
      },
    },
    async (request) => agents.legalHold(request.params.agent_id, request.caller),
  );
  app.put(
    '/api/agents/:agent_id/legal-hold',
    {
      config: { access: 'operate' },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'setAgentLegalHold',
        audit: { changes: 'legal_hold.changed' },
        summary: 'Set or lift the legal hold of an agent',
        description:
          'Like the legal hold of a user (`PATCH /api/users/{user_id}`), for the conversations of this agent alone. One that is deleted cannot be held by itself.',
        params,
        headers,
        body: AgentLegalHoldUpdate,
        response: responses({ 200: AgentLegalHold }, 404, 413, 415, 422),
      },
    },
    async (request) =>
      agents.setLegalHold(request.params.agent_id, request.body.legal_hold, request.caller, actorOf(request)),
  );
}
