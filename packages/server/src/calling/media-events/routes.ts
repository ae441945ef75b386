import { Type } from 'typebox';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { AnyQuery } from '../../http/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { MediaEvents } from './media-events.ts';
import { MediaEventReceived } from './schema.ts';

// The published body; the media provider's own parser checks the signed text.
const body = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  title: 'MediaEvent',
  description: 'An event of the media provider.',
  examples: [
    {
      event: 'participant_left',
      id: 'EV_4bZ2',
      room: { name: 'call-1' },
      participant: { identity: 'phone', kind: 'SIP' },
    },
  ],
});

export function mediaEventRoutes(app: Server, mediaEvents: MediaEvents): void {
  app.post(
    '/api/media/webhook',
    {
      config: { rawBody: true, access: 'public' },
      schema: {
        tags: ['media'],
        operationId: 'receiveMediaEvent',
        summary: 'Receive an event of the media provider',
        description:
          'Authenticated by the provider\u2019s signature over the body instead of a key. Stored, acknowledged, then handled; repeated events are ignored.',
        headers: Type.Object({
          authorization: Type.Optional(Type.String({ description: "The provider's signed token over the body." })),
        }),
        querystring: AnyQuery,
        body,
        response: responses({ 200: MediaEventReceived }, 413, 415, 422),
      },
    },
    async (request) => {
      await mediaEvents.receive(String(request.body ?? ''), request.headers.authorization);
      return { status: 'ok' as const };
    },
  );
}
