import { type Static, Type } from 'typebox';
import { FailedOver, TimelineEntry } from '../../conversations/sessions/schema.ts';
import { Source, VersionNumber } from '../../conversations/versions/schema.ts';
import { CallbackUrl, DateTime, FreeObject, Id, nullable, Speaker } from '../../http/wire.ts';
import { CallMetadata, CallVariables } from '../outbound/schema.ts';

/** Messages of both sides. */
export const MAX_MESSAGES = 200;
/** Characters of one message. */
export const MAX_CONTENT = 8_000;
/** Requests with partial results of one turn, and bytes of them. */
export const MAX_REPORTS = 1_000;
export const MAX_REPORTED_BYTES = 262_144;
/** Bytes of calls of tools that a chat remembers, beside those of its last answer. */
export const MAX_REMEMBERED_BYTES = 262_144;

const CHAT = '01980000-0000-7000-8000-000000000001';
const AGENT = '01980000-0000-7000-8000-000000000000';
const Content = Type.String({ minLength: 1, maxLength: MAX_CONTENT });

export const ChatCreate = Type.Object(
  {
    agent_id: Id,
    agent_version: Type.Optional(Source),
    callback_url: Type.Optional(nullable(CallbackUrl)),
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
    timeline: Type.Array(TimelineEntry),
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
        timeline: [{ status: 'ACTIVE', call_status: null, failed_over: null, created_at: '2026-01-15T09:30:00.000Z' }],
      },
    ],
  },
);

const MESSAGE = '01980000-0000-7000-8000-000000000003';

export const ChatRewind = Type.Object(
  { to_message: nullable({ ...Id, description: 'The last message to stay, of either side; null for none.' }) },
  { title: 'ChatRewind', additionalProperties: false, examples: [{ to_message: MESSAGE }] },
);

export const ChatFork = Type.Object(
  {
    to_message: Type.Optional(
      nullable({ ...Id, description: 'The last message to copy, of either side; null for none.' }),
    ),
    agent_version: Type.Optional(Source),
  },
  { title: 'ChatFork', additionalProperties: false, examples: [{ to_message: MESSAGE, agent_version: 'draft' }] },
);

export const ChatMessageCreate = Type.Object(
  { content: Content },
  { title: 'ChatMessageCreate', additionalProperties: false, examples: [{ content: 'When do you open on Sunday?' }] },
);

const MAX_NAME = 100;
const ToolName = Type.String({ minLength: 1, maxLength: MAX_NAME });
const CallId = Type.String({
  minLength: 1,
  maxLength: MAX_NAME,
  description: 'Tells the calls of a turn apart.',
});
const ToolResult = Type.String({ maxLength: MAX_CONTENT, description: 'What the model gets.' });

const ChatToolCall = Type.Object(
  {
    call_id: CallId,
    name: ToolName,
    arguments: FreeObject,
    result: nullable(ToolResult),
    is_error: Type.Boolean(),
  },
  { title: 'ChatToolCall' },
);
export type ChatToolCall = Static<typeof ChatToolCall>;

const TOOL_CALL = { call_id: 'call_1', name: 'opening_hours', arguments: { day: 'Sunday' } };

export const ChatAnswer = Type.Object(
  {
    chat_id: Id,
    message_id: Id,
    in_reply_to: { ...Id, description: 'The id of the message that it answers.' },
    content: Type.String(),
    timestamp: DateTime,
    tool_calls: Type.Array(ChatToolCall, { description: 'Calls of tools that the worker has reported, in order.' }),
    is_simulated: Type.Boolean(),
  },
  {
    title: 'ChatAnswer',
    description: 'The answer of the agent, which is in the transcript too.',
    examples: [
      {
        chat_id: CHAT,
        message_id: '01980000-0000-7000-8000-000000000003',
        in_reply_to: '01980000-0000-7000-8000-000000000002',
        content: 'We open at ten on Sundays.',
        timestamp: '2026-01-15T09:30:01.000Z',
        tool_calls: [{ ...TOOL_CALL, result: '{"opens":"10:00"}', is_error: false }],
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
    messages: Type.Array(
      Type.Object({
        speaker: Speaker,
        content: Type.String(),
        tool_calls: Type.Optional(
          Type.Array(ChatToolCall, {
            description:
              'Of an answer: the calls of tools before it, in order. Absent if it had none, or too long ago.',
          }),
        ),
      }),
      { description: 'All messages, the oldest first. The last one is to be answered.' },
    ),
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

const Tokens = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

/** A partial result of a task of the kind `chat_turn`. */
export const ChatTurnEvent = Type.Union(
  [
    Type.Object(
      { type: Type.Literal('words'), text: Type.String({ minLength: 1, maxLength: MAX_CONTENT }) },
      { additionalProperties: false },
    ),
    Type.Object(
      { type: Type.Literal('tool_call'), call_id: CallId, name: ToolName, arguments: FreeObject },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        type: Type.Literal('tool_result'),
        call_id: CallId,
        result: ToolResult,
        is_error: Type.Optional(Type.Boolean({ default: false })),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      { type: Type.Literal('failed_over'), ...FailedOver.properties },
      { additionalProperties: false, description: 'Becomes an entry of the timeline.' },
    ),
    Type.Object(
      {
        type: Type.Literal('usage'),
        model: Type.String({ minLength: 1, maxLength: MAX_NAME }),
        input_tokens: Tokens,
        output_tokens: Tokens,
      },
      { additionalProperties: false },
    ),
  ],
  {
    title: 'ChatTurnEvent',
    description: 'A partial result of a task of the kind `chat_turn`. Usage is shown only: log it for the ledger.',
    examples: [
      { type: 'words', text: 'We open ' },
      { type: 'tool_call', ...TOOL_CALL },
    ],
  },
);
export type ChatTurnEvent = Static<typeof ChatTurnEvent>;
