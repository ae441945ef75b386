import { Type } from 'typebox';
import { dateRange } from '../../http/date-range.ts';
import { PageQuery } from '../../http/paging.ts';
import { DateTime, DateTimeInput, FreeObject, Id, nullable, ShortText, Speaker } from '../../http/wire.ts';
import { ACCURACY } from '../../lib/histogram.ts';
import { VersionNumber } from '../versions/schema.ts';

export const MAX_TURNS = 500;
/** The highest number of a turn in its session. */
export const MAX_INDEX = 9_999;
const MAX_MS = 600_000;
/** Calls of tools in one request, and bytes of them in one session. */
export const MAX_TOOL_CALLS = 100;
export const MAX_TOOL_BYTES = 262_144;
/** Characters of the arguments of one, as JSON, and of its result. */
export const MAX_ARGUMENTS = 8_000;
const MAX_RESULT = 8_000;

const example = {
  turn_index: 0,
  model: 'gpt-4o-mini',
  end_of_speech_at: '2026-01-15T09:30:04.120Z',
  transcript_ms: 180,
  first_token_ms: 540,
  first_audio_ms: 790,
};

const exampleTool = {
  call_id: '01980000-0000-7000-8000-000000000015',
  name: 'free_slots',
  arguments: { day: '2026-01-16' },
  result: '{"slots":["10:00"]}',
  called_at: '2026-01-15T09:30:04.620Z',
};

const END_OF_SPEECH = 'When the caller’s last sound ended, at the caller.';

/** The descriptions of the latencies, each in milliseconds after the end of speech. */
const LATENCIES = {
  transcript_ms: describe('the final transcript, at the worker'),
  first_token_ms: describe('the first token of the model, at the worker'),
  first_audio_ms: describe('the first sound of the agent, as the caller hears it'),
};

function describe(what: string): { description: string } {
  return {
    description: `Milliseconds from the end of speech to ${what}; 0 if it was earlier, null if there was none.`,
  };
}

function latency(name: keyof typeof LATENCIES) {
  return Type.Optional(nullable(Type.Number({ minimum: 0, maximum: MAX_MS, ...LATENCIES[name] })));
}

const INTERRUPTED =
  'How long the agent had been speaking when the caller began these words, in milliseconds; null if it was silent.';

export const NewTurn = Type.Object(
  {
    turn_index: Type.Integer({
      minimum: 0,
      maximum: MAX_INDEX,
      description: 'The number of the turn in its session. Sending a turn again has no effect.',
    }),
    model: Type.Optional(nullable({ ...ShortText, description: 'The language model, or the speech-to-speech model.' })),
    end_of_speech_at: { ...DateTimeInput, description: END_OF_SPEECH },
    transcript_ms: latency('transcript_ms'),
    first_token_ms: latency('first_token_ms'),
    first_audio_ms: latency('first_audio_ms'),
    interrupted_after_ms: Type.Optional(
      nullable(Type.Number({ minimum: 0, maximum: MAX_MS, description: INTERRUPTED })),
    ),
  },
  { title: 'NewTurn', additionalProperties: false },
);

export const NewToolCall = Type.Object(
  {
    call_id: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Chosen by you, unique within the session. Sending one again has no effect.',
    }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    arguments: FreeObject,
    result: nullable(
      Type.String({ maxLength: MAX_RESULT, description: 'What the model got, as JSON or as text; null for nothing.' }),
    ),
    is_error: Type.Optional(Type.Boolean({ default: false, description: 'Whether the result says what went wrong.' })),
    called_at: DateTimeInput,
  },
  {
    title: 'NewToolCall',
    additionalProperties: false,
    description: 'Tests that are made of the call answer with the result, and replays compare the calls.',
  },
);

export const TurnsCreate = Type.Object(
  {
    turns: Type.Optional(Type.Array(NewTurn, { minItems: 1, maxItems: MAX_TURNS })),
    tool_calls: Type.Optional(
      Type.Array(NewToolCall, {
        minItems: 1,
        maxItems: MAX_TOOL_CALLS,
        description:
          'Calls of tools that have ended, in order. Those beyond 256 KiB of a session, as it is stored, are not kept.',
      }),
    ),
  },
  {
    title: 'TurnsCreate',
    minProperties: 1,
    additionalProperties: false,
    examples: [{ turns: [example] }, { tool_calls: [exampleTool] }],
  },
);

export const TimelineKeys = Type.Object(
  {
    speaker: { ...Speaker, description: '`USER` or `AGENT`: who pressed them.' },
    name: nullable(
      Type.String({ description: 'The name of the entry in `tools.collect_digits`; null for keys of the agent.' }),
    ),
    digits: nullable(
      Type.String({ description: 'The keys. Null if they are sensitive, or `privacy.redact` replaces them.' }),
    ),
    is_sensitive: Type.Boolean({ description: 'Whether only functions of the agent get the keys.' }),
    created_at: { ...DateTime, description: 'When the agent began to wait for them, or to press them.' },
  },
  { title: 'TimelineKeys' },
);

export const TurnsReported = Type.Object(
  {
    added: Type.Integer({ description: 'Number of new turns.' }),
    known: Type.Integer({ description: 'Number of turns that already existed, and are unchanged.' }),
  },
  { title: 'TurnsReported', examples: [{ added: 1, known: 0 }] },
);

export const Turn = Type.Object(
  {
    session_id: Id,
    turn_index: Type.Integer(),
    model: nullable(Type.String()),
    end_of_speech_at: { ...DateTime, description: END_OF_SPEECH },
    transcript_ms: nullable(Type.Integer(LATENCIES.transcript_ms)),
    first_token_ms: nullable(Type.Integer(LATENCIES.first_token_ms)),
    first_audio_ms: nullable(Type.Integer(LATENCIES.first_audio_ms)),
    interrupted_after_ms: nullable(Type.Integer({ description: INTERRUPTED })),
  },
  {
    title: 'Turn',
    examples: [{ session_id: '01980000-0000-7000-8000-000000000001', ...example, interrupted_after_ms: null }],
  },
);

export const TurnListQuery = Type.Object(PageQuery, { additionalProperties: false });

/** Dimensions that turns can be grouped by. */
export const GROUPS = ['agent', 'agent_version', 'model'] as const;
const NAME = `(${GROUPS.join('|')})`;

export const LatencyQuery = Type.Object(
  {
    group_by: Type.Optional(
      Type.String({
        pattern: `^${NAME}(,${NAME})*$`,
        maxLength: 100,
        default: 'agent,model',
        description: `Names separated by commas: ${GROUPS.map((name) => `\`${name}\``).join(', ')}.`,
      }),
    ),
    ...dateRange,
    agent_id: Type.Optional({ ...ShortText, description: 'Turns of this agent.' }),
    agent_version: Type.Optional({ ...VersionNumber, description: 'Turns of this version of agents.' }),
  },
  { additionalProperties: false },
);

const percent = (100 * ACCURACY).toFixed(1);
const Latency = Type.Object(
  {
    turns: Type.Integer({ description: 'Turns that have this latency.' }),
    mean_ms: Type.Integer(),
    p50_ms: Type.Integer({ description: `Accurate to within ${percent} %.` }),
    p95_ms: Type.Integer({ description: `Accurate to within ${percent} %.` }),
  },
  { title: 'Latency', description: 'Figures of one latency, in milliseconds after the end of speech.' },
);

const figures = {
  transcript: nullable(Latency),
  first_token: nullable(Latency),
  first_audio: nullable(Latency),
};

const AgentLatency = Type.Object(
  {
    agent_id: nullable(Type.String()),
    agent_name: nullable(Type.String({ description: 'The agent’s current name; null if it was deleted.' })),
    agent_version: nullable(Type.Integer({ description: 'Null unless grouped by it, and without one.' })),
    model: nullable(Type.String()),
    ...figures,
  },
  { title: 'AgentLatency', description: 'The turns of one group; what they are not grouped by is null.' },
);

const exampleFigures = {
  transcript: { turns: 120, mean_ms: 201, p50_ms: 190, p95_ms: 320 },
  first_token: { turns: 118, mean_ms: 603, p50_ms: 561, p95_ms: 1004 },
  first_audio: { turns: 118, mean_ms: 850, p50_ms: 801, p95_ms: 1330 },
};

export const LatencyReport = Type.Object(
  {
    total: Type.Object(figures, { title: 'TotalLatency', description: 'All turns found.' }),
    groups: Type.Array(AgentLatency, { description: 'Most turns first.' }),
  },
  {
    title: 'LatencyReport',
    examples: [
      {
        total: exampleFigures,
        groups: [
          {
            agent_id: '01980000-0000-7000-8000-000000000000',
            agent_name: 'Front desk',
            agent_version: null,
            model: 'gpt-4o-mini',
            ...exampleFigures,
          },
        ],
      },
    ],
  },
);
