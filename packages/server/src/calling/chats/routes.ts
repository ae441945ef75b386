import { Type } from 'typebox';
import { IdempotencyHeader, idempotencyOf } from '../../access/idempotency/header.ts';
import { actorOf, requireCaller } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import type { Chats } from './chats.ts';
import { Chat, ChatCreate, ChatFork, ChatRewind } from './schema.ts';

const tags = ['sessions'];
const headers = UserHeader;
const params = Type.Object({ chat_id: Id });

export function chatRoutes(app: Server, chats: Chats): void {
  app.post(
    '/api/chats',
    {
      bodyLimit: SMALL_BODY,
      config: { userRequired: true, stores: true },
      schema: {
        tags,
        operationId: 'startChat',
        summary: 'Start a chat with an agent',
        description:
          'A conversation in writing, with one version of the agent: the one that calls get, or `agent_version`. It is a session: its transcript, its costs and its erasure are those of calls, and so are its limits (429). It ends with `POST /api/chats/{chat_id}/end`, or a day after it began. Once its usage has arrived, `chat.ended` goes to the user’s webhook endpoints, and to `callback_url`, by default the agent’s (none for a chat with the draft).',
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: ChatCreate,
        response: responses({ 201: Chat }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      reply.status(201);
      return chats.start(requireCaller(request), request.body, idempotencyOf(request), actorOf(request));
    },
  );
  app.get(
    '/api/chats/:chat_id',
    {
      schema: {
        tags,
        operationId: 'getChat',
        summary: 'Get a chat',
        description: 'Its messages are the transcript of the session with the same id.',
        params,
        headers,
        response: responses({ 200: Chat }, 404, 422),
      },
    },
    async (request) => chats.get(request.params.chat_id, request.caller),
  );
  app.post(
    '/api/chats/:chat_id/rewind',
    {
      bodyLimit: SMALL_BODY,
      schema: {
        tags,
        operationId: 'rewindChat',
        audit: { access: 'chat.rewound', target: 'chat/:chat_id' },
        summary: 'Rewind a chat to one of its messages',
        description:
          'Deletes the messages after `to_message` from the transcript, or all of them. What they have cost stays in the ledger. 409 `turn_in_progress` while a message waits for its answer.',
        params,
        headers,
        body: ChatRewind,
        response: responses({ 200: Chat }, 404, 409, 413, 415, 422),
      },
    },
    async (request) => chats.rewind(request.params.chat_id, request.body.to_message, request.caller),
  );
  app.post(
    '/api/chats/:chat_id/fork',
    {
      bodyLimit: SMALL_BODY,
      config: { stores: true },
      schema: {
        tags,
        operationId: 'forkChat',
        summary: 'Start a chat with the messages of another one',
        description:
          'A new chat of the same user, with copies of the messages up to `to_message`, or of all, and the same variables and metadata. It has the version of the other chat, unless `agent_version` names another one or the draft. The other chat, which may have ended, stays as it is.',
        params,
        headers: Type.Object({ ...UserHeader.properties, ...IdempotencyHeader }),
        body: ChatFork,
        response: responses({ 201: Chat }, 402, 404, 409, 413, 415, 422, 429),
      },
    },
    async (request, reply) => {
      const from = { user_id: request.caller, idempotency: idempotencyOf(request), actor: actorOf(request) };
      reply.status(201);
      return chats.fork(request.params.chat_id, request.body, from);
    },
  );
  app.post(
    '/api/chats/:chat_id/end',
    {
      schema: {
        tags,
        operationId: 'endChat',
        summary: 'End a chat',
        description: 'Ending an ended chat changes nothing.',
        params,
        headers,
        response: responses({ 200: Chat }, 404, 413, 415, 422),
      },
    },
    async (request) => chats.end(request.params.chat_id, request.caller),
  );
}
