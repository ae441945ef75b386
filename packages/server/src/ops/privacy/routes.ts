import { Type } from 'typebox';
import { problemsOfPatterns } from '../../conversations/agents/privacy.ts';
import { actorOf, validUserId } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import type { FieldProblem } from '../../lib/invalid.ts';
import { isObject } from '../../lib/json.ts';
import type { Erasures } from './erasure.ts';
import { ErasedUser, UserSettings, UserUpdate } from './schema.ts';

export function privacyRoutes(app: Server, erasures: Erasures): void {
  app.delete(
    '/api/users/:user_id',
    {
      config: { access: 'operate' },
      schema: {
        tags: ['privacy'],
        operationId: 'eraseUser',
        audit: { changes: 'user.erased' },
        summary: 'Erase a user',
        description:
          'Ends the user\u2019s calls, releases the user\u2019s numbers, deletes personal data, and keeps the costs under a pseudonym. Responds when everything is done; an erasure that a provider\u2019s failure interrupts is resumed in the background. 409 `legal_hold` while anything of the user is under one.',
        params: Type.Object({ user_id: Type.String() }),
        response: responses({ 200: ErasedUser }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      return erasures.erase(validUserId(request.params.user_id), actorOf(request));
    },
  );
  app.get(
    '/api/users/:user_id',
    {
      config: { access: 'operate' },
      schema: {
        tags: ['privacy'],
        operationId: 'getUser',
        summary: 'Get the legal hold and the privacy of a user',
        description: 'Also of a user without agents, or whose agents are all deleted.',
        params: Type.Object({ user_id: Type.String() }),
        response: responses({ 200: UserSettings }, 404, 422),
      },
    },
    async (request) => erasures.shown(validUserId(request.params.user_id)),
  );
  app.patch(
    '/api/users/:user_id',
    {
      config: { access: 'operate', bodyProblems: problemsOfUpdate },
      bodyLimit: SMALL_BODY,
      schema: {
        tags: ['privacy'],
        operationId: 'updateUser',
        audit: { changes: ['legal_hold.changed', 'user.privacy_changed'], refused: 'user.changed' },
        summary: 'Set the legal hold and the privacy of a user',
        description:
          'Under a legal hold none of the user\u2019s conversations are deleted: not by age, not by an erasure (409), not by a `DELETE` (409). Once it is lifted, the next round of the retention deletes what is past its age. `PUT /api/agents/{agent_id}/legal-hold` holds the conversations of one agent.\n\n`privacy` says what is redacted and deleted of conversations of the user that begin afterwards, with any agent, in addition to the agent\u2019s own `privacy`: what either redacts is replaced, and the shorter time counts.',
        params: Type.Object({ user_id: Type.String() }),
        body: UserUpdate,
        response: responses({ 200: UserSettings }, 404, 413, 415, 422),
      },
    },
    async (request) => erasures.update(validUserId(request.params.user_id), request.body, actorOf(request)),
  );
}

/** Patterns that cannot be used. */
function problemsOfUpdate(body: unknown): FieldProblem[] {
  if (!isObject(body)) return [];
  return problemsOfPatterns(body, 'body').map(({ loc, ...rest }) => ({ field: loc.slice(1), ...rest }));
}
