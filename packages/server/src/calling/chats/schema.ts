import { type Static, Type } from 'typebox';
import { Source, VersionNumber } from '../../conversations/versions/schema.ts';
import { DateTime, FreeObject, Id, nullable, Speaker } from '../../http/wire.ts';
import { CallMetadata, CallVariables } from '../outbound/schema.ts';

/** Messages of both sides. */
export const MAX_MESSAGES = 200;
/** Characters of one message. */
export const MAX_CONTENT = 8_000;

const CHAT = '01980000-0000-7000-8000-000000000001';
const AGENT = '01980000-0000-7000-8000-000000000000';
const Content = Type.String({ minLength: 1, maxLength: MAX_CONTENT });

export const ChatCreate = Type.Object(
  {
    agent_id: Id,
    agent_version: Type.Optional(Source),
    variables: Type.Optional(nullable(CallVariables)),
    metadata: Type.Optional(nullable(CallMetadata)),
  },
  { title: 'ChatCreate', additionalProperties: false, examples: [{ agent_id: AGENT, variables: { name: 'Ada' } }] },
);

export const Chat = Type.Object(
  {
    chat_id: { ...Id, description: 'Its session has the same id.' },
    direction: Type.Unsafe<'CHAT'>({ type: 'string', enum: ['CHAT'] }),
    agent_id: nullable(Id),
    agent_version: nullable({ ...VersionNumber, description: 'The version of the agent that answers.' }),
    user_id: Type.String(),
    status: Type.String({ description: '`ACTIVE` or `COMPLETED`.' }),
    started_at: nullable(DateTime),
    ended_at: nullable(DateTime),
    is_simulated: Type.Boolean({ description: 'Whether this is the sandbox, where rules answer instead of a model.' }),
  },
  {
    title: 'Chat',
    examples: [
      {
        chat_id: CHAT,
        direction: 'CHAT',
        agent_id: AGENT,
        agent_version: 3,
        user_id: 'user-1',
        status: 'ACTIVE',
        started_at: '2026-01-15T09:30:00.000Z',
        ended_at: null,
        is_simulated: false,
      },
    ],
  },
);

export const ChatMessageCreate = Type.Object(
  { content: Content },
  { title: 'ChatMessageCreate', additionalProperties: false, examples: [{ content: 'When do you open on Sunday?' }] },
);

export const ChatAnswer = Type.Object(
  { chat_id: Id, message_id: Id, content: Type.String(), timestamp: DateTime, is_simulated: Type.Boolean() },
  {
    title: 'ChatAnswer',
    description: 'The answer of the agent, which is in the transcript too.',
    examples: [
      {
        chat_id: CHAT,
        message_id: '01980000-0000-7000-8000-000000000003',
        content: 'We open at ten on Sundays.',
        timestamp: '2026-01-15T09:30:01.000Z',
        is_simulated: false,
      },
    ],
  },
);

/** The payload of a task of the kind `chat_turn`. Fields may be added. */
export const ChatTurn = Type.Object(
  {
    chat_id: Id,
    user_id: Type.String(),
    agent_id: Id,
    agent_version: nullable(VersionNumber),
    agent_name: Type.String(),
    config: FreeObject,
    variables: CallVariables,
    metadata: CallMetadata,
    messages: Type.Array(Type.Object({ speaker: Speaker, content: Type.String() }), {
      description: 'All messages, the oldest first. The last one is to be answered.',
    }),
  },
  { title: 'ChatTurn', description: 'The payload of a task of the kind `chat_turn`.' },
);
export type ChatTurn = Static<typeof ChatTurn>;

export const ChatTurnResult = Type.Object(
  { content: Content },
  {
    title: 'ChatTurnResult',
    additionalProperties: false,
    description: 'The result of a task of the kind `chat_turn`.',
  },
);
export type ChatTurnResult = Static<typeof ChatTurnResult>;
