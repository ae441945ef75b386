import { Type } from 'typebox';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { UserHeader } from '../../http/wire.ts';
import { AppError } from '../../lib/errors.ts';
import { isUserId } from '../../lib/principal.ts';
import type { Quotas } from './quotas.ts';
import { Quota } from './schema.ts';

export function quotaRoutes(app: Server, quotas: Quotas): void {
  app.get(
    '/api/quotas/:user_id',
    {
      schema: {
        tags: ['service'],
        operationId: 'getQuota',
        summary: 'Get the stored bytes of a user',
        description:
          'The bytes stored for the user, and those written in the current minute, with the limits for the user\u2019s own keys and tokens. Beyond `STORED_BYTES_PER_USER` they get 403 `quota_exceeded` from operations that add something, beyond `WRITTEN_BYTES_PER_USER` 429 `too_many_requests`. After an upgrade from v0.1.0, earlier data is counted in the background.',
        params: Type.Object({ user_id: Type.String() }),
        headers: UserHeader,
        response: responses({ 200: Quota }, 404, 422),
      },
    },
    async ({ params: { user_id }, caller }) => {
      if (!isUserId(user_id)) throw new AppError('not_found');
      return quotas.get(user_id, caller);
    },
  );
}
