import { Type } from 'typebox';
import { assertSameUser, requireCaller } from '../../http/caller.ts';
import { EVENT_STREAM, type SendEvents } from '../../http/event-stream.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { oneOf, ShortText, UserHeader } from '../../http/wire.ts';
import { POSITION_PATTERN, parsePosition } from '../../lib/stream-position.ts';
import type { Activity } from './activity.ts';
import { StreamToken } from './schema.ts';
import type { StreamTokens } from './stream-tokens.ts';

const tags = ['calls'];
const STREAM_EXAMPLE = `retry: 1000

id: 7310

id: 7312
event: call
data: {"call_id":"01980000-0000-7000-8000-000000000001","call_status":"ANSWERED","at":"2026-01-15T09:30:00.000Z"}

`;
const STREAM = `Everything after \`Last-Event-ID\`, then what happens. Event \`call\`: a call after a change, with \`user_id\`, \`agent_id\`,
\`from_number\`, \`to_number\` and when the change was (\`at\`). Event \`transcript\`: a transcript. Event \`turn\`: the
latency of a turn, once it is reported. Event \`cost\`: a usage event, and with
\`include=total_cost\` what its call has cost the user so far (\`call_total_cost\`). Event \`delivery\`: an attempt
to deliver a callback. Event \`campaign\`: a campaign after a change of its \`state\`, what it is \`blocked\` by, its \`recipients\`
by state or what it has \`spent\`, and once it is deleted (\`is_deleted\`); changes that come together are one event. Event \`reset\`: what came since \`Last-Event-ID\` is too much or unknown; read the lists again.`;

/** Longer than any position of a database with a thousand connections. */
const POSITION_MAX = 12_000;

export function activityRoutes(
  app: Server,
  { activity, streamTokens }: { activity: Activity; streamTokens: StreamTokens },
  send: SendEvents,
): void {
  app.get(
    '/api/events',
    {
      exposeHeadRoute: false,
      config: { stream: true, restriction: 'also with a stream token of the user' },
      schema: {
        tags,
        operationId: 'streamEvents',
        audit: { access: 'transcripts.read', target: 'events', only: 'operators' },
        summary: 'Follow all calls of a user as server-sent events',
        description:
          'Streams the events of all calls of the calling user: changes of state, transcripts, turns, costs, deliveries of callbacks; and changes of its campaigns. Without `Last-Event-ID` it begins now: open the stream first, then read the lists. Ids are opaque; with the last one the stream resumes without loss or repetition, on any replica. Events of one call come in their order. A service key that names no user, or nobody in open mode, follows all users. Nothing is sent while nothing happens but, every 15 seconds, an id.',
        querystring: Type.Object(
          {
            user_id: Type.Optional({
              ...ShortText,
              description: 'The same as `x-user-id`, for an `EventSource`, which can send no header.',
            }),
            include: Type.Optional(
              oneOf('StreamField', ['total_cost'], 'A field of `cost` events that is left out otherwise.'),
            ),
            token: Type.Optional(
              Type.String({ maxLength: 200, description: 'A stream token of `POST /api/events/token`.' }),
            ),
          },
          { additionalProperties: false },
        ),
        headers: Type.Object({
          ...UserHeader.properties,
          'last-event-id': Type.Optional(
            Type.String({
              pattern: POSITION_PATTERN,
              maxLength: POSITION_MAX,
              description: 'The id of the last event that was received.',
            }),
          ),
        }),
        response: {
          ...responses({}, 422),
          200: { description: STREAM, content: { [EVENT_STREAM]: { schema: Type.String(), example: STREAM_EXAMPLE } } },
        },
      },
    },
    async (request, reply) => {
      const { user_id, include } = request.query;
      if (user_id !== undefined) assertSameUser(request.caller, user_id, 'query');
      // The limit on streams is per user, however the user was authenticated.
      request.caller ??= user_id ?? null;
      const { caller } = request;
      const last = request.headers['last-event-id'];
      const start = await activity.start(last === undefined ? null : parsePosition(last));
      return send(reply, (signal) =>
        activity.follow({ user_id: caller, withTotals: include === 'total_cost' }, start, signal),
      );
    },
  );
  app.post(
    '/api/events/token',
    {
      config: { userRequired: true, access: 'read' },
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'createEventsToken',
        audit: { access: 'stream_token.issued', target: 'events' },
        summary: 'Get a token for the event stream of all calls of a user',
        description:
          'For a web page: `new EventSource(events_url)`. Good for the stream of the calling user and nothing else, until `expires_at`, or until the API key that asked for it is revoked.',
        headers: UserHeader,
        response: responses({ 201: StreamToken }, 413, 415, 422),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return streamTokens.createForUser(requireCaller(request), request.principal);
    },
  );
}
