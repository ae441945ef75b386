import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { EVENT_STREAM, type SendEvents } from '../../http/event-stream.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Chats } from './chats.ts';
import { ChatAnswer, ChatMessageCreate } from './schema.ts';

const EXAMPLE = `retry: 1000

id: 1
event: sent
data: {"chat_id":"01980000-0000-7000-8000-000000000001","message_id":"01980000-0000-7000-8000-000000000002"}

id: 2
event: words
data: {"text":"We open "}

`;
const DESCRIPTION = `The answer, as JSON; with \`Accept: text/event-stream\` while it comes, as events: \`sent\` with the id of the
message; \`words\`, \`tool_call\`, \`tool_result\`, \`failed_over\` and \`usage\` as the worker reports them (\`ChatTurnEvent\`); \`restarted\` when another
worker begins anew; then \`message\` with the answer, or \`failed\` with \`code\` and \`detail\`.`;

export function messageRoutes(app: Server, chats: Chats, send: SendEvents): void {
  app.post(
    '/api/chats/:chat_id/messages',
    {
      bodyLimit: SMALL_BODY,
      config: { stores: true },
      schema: {
        tags: ['sessions'],
        operationId: 'sendChatMessage',
        summary: 'Send a message to a chat, and get the answer',
        description:
          'Waits until a worker has answered, at most `CHAT_ANSWER_TIMEOUT_S`; then 503 `turn_unanswered`. One message at a time: 409 `turn_in_progress`. With `Accept: text/event-stream` the answer is sent while it comes; a client that leaves changes nothing. Under the same `Idempotency-Key` the message is sent once: a repeated request waits for the same answer, or gets it at once. Its stream begins anew; if the answer is already there, it has only `sent` and `message`. A message that got no answer is a 503 again: send it under another key.',
        params: Type.Object({ chat_id: Id }),
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: ChatMessageCreate,
        response: {
          ...responses({}, 404, 409, 413, 415, 422),
          200: {
            description: DESCRIPTION,
            content: {
              'application/json': { schema: ChatAnswer },
              [EVENT_STREAM]: { schema: Type.String(), example: EXAMPLE },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const isStream = request.headers.accept?.includes(EVENT_STREAM) === true;
      // A stream that is refused sends no message.
      if (isStream) send.reserve(reply);
      const from = { user_id: request.caller, idempotency: idempotencyOf(request) };
      const turn = await chats.send(request.params.chat_id, request.body.content, from);
      if (!isStream) return chats.answerTo(turn);
      return send(reply, (gone) => chats.follow(turn, gone));
    },
  );
}
