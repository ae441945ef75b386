import { Type } from 'typebox';
import { Analysis } from '../../calling/analyses/schema.ts';
import { CallDetail } from '../../calling/calls/schema.ts';
import { Chat } from '../../calling/chats/schema.ts';
import {
  amountByName,
  ByProvider,
  DateTime,
  EndReason,
  FreeObject,
  Id,
  NumericString,
  nullable,
  Speaker,
} from '../../http/wire.ts';

/**
 * Maximum lines of the transcript in a report, and bytes of their texts; a report ends with the line that exceeds
 * them.
 */
export const MAX_LINES = 5_000;

const TranscriptLine = Type.Object(
  { id: Id, speaker: Speaker, content: Type.String(), timestamp: DateTime },
  { title: 'TranscriptLine' },
);

const CallCosts = Type.Object(
  {
    total_cost: NumericString,
    by_event_type: amountByName({ title: 'CostByEventType', description: 'Cost by event type.' }),
    by_provider: ByProvider,
  },
  { title: 'CallCosts', description: 'The cost up to the time of the report.' },
);

const { timeline: _timeline, keys: _keys, ...callFields } = CallDetail.properties;
const [{ timeline: _example, keys: _none, ...exampleCall }] = (
  CallDetail as unknown as { examples: [{ timeline: unknown; keys: unknown }] }
).examples;

export const CallReportData = Type.Object(
  {
    ...callFields,
    transcript: Type.Array(TranscriptLine, { description: 'In the order in which the lines were added.' }),
    is_transcript_complete: Type.Boolean({
      description:
        'False if the transcript was truncated to fit into the report: `GET /api/sessions/{session_id}/transcripts` returns all of it.',
    }),
    analyses: Type.Array(Analysis, { description: 'The analyses of the transcript by then.' }),
    costs: CallCosts,
  },
  {
    title: 'CallReportData',
    description: 'The call with everything that belongs to it, at the time of the report.',
    examples: [
      {
        ...exampleCall,
        transcript: [
          {
            id: '01980000-0000-7000-8000-000000000001',
            speaker: 'USER',
            content: 'I would like to move my appointment.',
            timestamp: '2026-01-15T09:30:04.000Z',
          },
        ],
        is_transcript_complete: true,
        analyses: [],
        costs: {
          total_cost: '0.00075',
          by_event_type: { llm_tokens: '0.00075' },
          by_provider: { openai: '0.00075' },
        },
      },
    ],
  },
);

const { chat_id, direction, agent_id, agent_version, user_id, status, started_at, ended_at } = Chat.properties;

export const ChatEndedData = Type.Object(
  {
    chat_id,
    direction,
    agent_id,
    agent_version,
    user_id,
    status,
    started_at,
    ended_at,
    duration: nullable(Type.Number({ description: 'In seconds.' })),
    end_reason: nullable(EndReason),
    metadata: FreeObject,
    costs: CallCosts,
  },
  {
    title: 'ChatEndedData',
    description: 'A chat that has ended. `GET /api/sessions/{session_id}/transcripts` returns its messages.',
    examples: [
      {
        chat_id: '01980000-0000-7000-8000-000000000001',
        direction: 'CHAT',
        agent_id: '01980000-0000-7000-8000-000000000000',
        agent_version: 3,
        user_id: 'user-1',
        status: 'COMPLETED',
        started_at: '2026-01-15T09:30:00.000Z',
        ended_at: '2026-01-15T09:32:00.000Z',
        duration: 120,
        end_reason: 'hangup',
        metadata: { crm_id: 'C-17' },
        costs: {
          total_cost: '0.00075',
          by_event_type: { llm_tokens: '0.00075' },
          by_provider: { openai: '0.00075' },
        },
      },
    ],
  },
);
