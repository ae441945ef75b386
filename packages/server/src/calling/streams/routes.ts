import { Type } from 'typebox';
import { EVENT_STREAM, LastEventIdHeader, lastEventIdOf, type SendEvents } from '../../http/event-stream.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { CallEvents } from './call-events.ts';
import { StreamToken } from './schema.ts';
import type { StreamTokens } from './stream-tokens.ts';

const tags = ['calls'];
const headers = UserHeader;
const params = Type.Object({ call_id: Id });
const STREAM_EXAMPLE = 'retry: 1000\n\nid: 2\nevent: call\ndata: {"call_status":"ANSWERED"}\n\n';
const STREAM = `Everything after \`Last-Event-ID\`, then what happens, until the call has ended. Event \`call\`: the call after a change, as
its callback has it but for agent, \`answered_by\`, \`disposition\` and \`caller_number\`, and when that was (\`at\`). Event \`transcript\`: a transcript. Event \`provider.failed_over\`: a model took over from another one.`;

export function callEventRoutes(
  app: Server,
  { callEvents, streamTokens }: { callEvents: CallEvents; streamTokens: StreamTokens },
  send: SendEvents,
): void {
  app.get(
    '/api/calls/:call_id/events',
    {
      exposeHeadRoute: false,
      config: { stream: true, restriction: 'also with a stream token of the call' },
      schema: {
        tags,
        operationId: 'streamCallEvents',
        audit: { access: 'transcripts.read', target: 'session/:call_id', only: 'operators' },
        summary: 'Follow a call as server-sent events',
        description:
          'Everything after `Last-Event-ID`, then new events, until the call has ended. A browser\u2019s `EventSource`, which can send no header, shows a stream token as `token`.',
        params,
        querystring: Type.Object(
          { token: Type.Optional(Type.String({ maxLength: 200, description: 'A stream token of this call.' })) },
          { additionalProperties: false },
        ),
        headers: Type.Object({ ...UserHeader.properties, ...LastEventIdHeader }),
        response: {
          ...responses(
            { 204: Type.Null({ description: 'The call has ended and all its events have been sent.' }) },
            404,
            422,
          ),
          200: { description: STREAM, content: { [EVENT_STREAM]: { schema: Type.String(), example: STREAM_EXAMPLE } } },
        },
      },
    },
    async (request, reply) => {
      const events = await callEvents.follow(request.params.call_id, request.caller, lastEventIdOf(request));
      return events ? send(reply, events) : reply.status(204).send(null);
    },
  );
  app.post(
    '/api/calls/:call_id/events/token',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'createStreamToken',
        audit: { access: 'stream_token.issued', target: 'session/:call_id' },
        summary: 'Get a token for the event stream of a call',
        description:
          'For a web page: `new EventSource(events_url)`. Good for the stream of this call and nothing else, until `expires_at`, or until the API key that asked for it is revoked. Ask for it on your server, so that the page needs no API key.',
        params,
        headers,
        response: responses({ 201: StreamToken }, 404, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return streamTokens.create(request.params.call_id, request.caller, request.principal);
    },
  );
}
