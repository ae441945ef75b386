import { Type } from 'typebox';
import { requireCaller } from '../http/caller.ts';
import { responses } from '../http/responses.ts';
import type { Server } from '../http/server.ts';
import { UserHeader } from '../http/wire.ts';
import type { Callbacks } from './callbacks.ts';

const CallbackSecret = Type.Object(
  { secret: Type.String() },
  {
    title: 'CallbackSecret',
    examples: [{ secret: 'whsec_…' }],
    description: 'Verifies the `webhook-signature` header of callbacks (Standard Webhooks).',
  },
);

export function callbackRoutes(app: Server, callbacks: Callbacks): void {
  app.get(
    '/api/callbacks/secret',
    {
      config: { userRequired: true },
      schema: {
        tags: ['callbacks'],
        summary: 'Get the secret that signs the callbacks of the calling user',
        headers: UserHeader,
        response: responses({ 200: CallbackSecret }, 422),
      },
    },
    async (request) => ({ secret: await callbacks.secretOf(requireCaller(request)) }),
  );
}
