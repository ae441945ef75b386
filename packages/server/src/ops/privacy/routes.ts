import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AppError } from '../../lib/errors.ts';
import { textProblem } from '../../lib/json.ts';
import type { Erasures } from './erasure.ts';
import { ErasedUser } from './schema.ts';

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
          'Ends the user\u2019s calls, releases the user\u2019s numbers, deletes personal data, and keeps the costs under a pseudonym. Responds when everything is done; an erasure that a provider\u2019s failure interrupts is resumed in the background.',
        params: Type.Object({ user_id: Type.String() }),
        response: responses({ 200: ErasedUser }, 404, 409, 413, 415, 422, 502, 504),
      },
    },
    async (request) => {
      const { user_id } = request.params;
      if (user_id === '' || textProblem(user_id) || [...user_id].length > 255) throw new AppError('not_found');
      return erasures.erase(user_id, actorOf(request));
    },
  );
}
