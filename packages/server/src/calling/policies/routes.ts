import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import type { Policies } from './policies.ts';
import { allPresets } from './presets.ts';
import { Policy, PolicyList, PolicyPut } from './schema.ts';

const tags = ['outreach'];
const headers = UserHeader;
const params = Type.Object({ name: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' }) });

export function policyRoutes(app: Server, policies: Policies): void {
  app.get(
    '/api/dial-policies',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'listDialPolicies',
        summary: 'List dial policies, and the presets',
        description:
          'The newest version of each policy of the calling user. Presets apply to nobody until a policy takes their rules; they are no legal advice.',
        headers,
        response: responses({ 200: PolicyList }, 422),
      },
    },
    async (request) => ({ policies: await policies.list(requireCaller(request)), presets: allPresets() }),
  );
  app.get(
    '/api/dial-policies/:name',
    {
      config: { userRequired: true },
      schema: {
        tags,
        operationId: 'getDialPolicy',
        summary: 'Get a dial policy',
        description: 'The newest version, or the one that is asked for.',
        params,
        headers,
        querystring: Type.Object(
          { version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) },
          { additionalProperties: false },
        ),
        response: responses({ 200: Policy }, 404, 422),
      },
    },
    async (request) => policies.get(requireCaller(request), request.params.name, request.query.version),
  );
  app.put(
    '/api/dial-policies/:name',
    {
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'putDialPolicy',
        audit: { changes: 'dial_policy.changed' },
        summary: 'Create a dial policy, or a new version of it',
        description:
          'Applies to calls from then on: to those of agents with `compliance.policy` in their configuration, and as the default to those of all others. Versions never change. 422 for windows that never open, places that do not exist, and rules that contradict themselves.',
        params,
        headers,
        body: PolicyPut,
        response: responses({ 200: Policy }, 409, 413, 415, 422),
      },
    },
    async (request) => policies.put(requireCaller(request), request.params.name, request.body, actorOf(request)),
  );
}
