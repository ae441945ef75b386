import { MAX_KEPT_BYTES } from '@switchboard/scenarios/outcome';
import { Type } from 'typebox';
import { FreeObject, nullable, oneOf } from '../../http/wire.ts';

const Amount = Type.Integer({
  minimum: 0,
  description: 'Milliseconds of the virtual clock; by voice of the real one.',
});
const Text = Type.String({ maxLength: MAX_KEPT_BYTES });

const TestToolCall = Type.Object(
  { name: Type.String(), arguments: FreeObject, text: Text, is_error: Type.Boolean(), ms: Amount },
  { title: 'TestToolCall', additionalProperties: false, description: 'A call of a tool, and what the model got.' },
);

const TestDecision = Type.Object(
  {
    model: { ...Text, description: 'Who decided: a provider and its model, or `rules`.' },
    words: Text,
    calls: Type.Array(Text, { description: 'Names of the tools that it called.' }),
    ms: { ...Amount, description: 'How long it took, in milliseconds of the real clock.' },
  },
  { title: 'TestDecision', additionalProperties: false },
);

const TestVote = Type.Object(
  {
    holds: nullable(Type.Boolean({ description: 'Whether the claim is true; null if it decided nothing.' })),
    reason: Text,
  },
  { title: 'TestVote', additionalProperties: false },
);

const TestTurn = Type.Object(
  {
    at_ms: Amount,
    heard: nullable({
      ...Text,
      description: 'What the caller said or pressed, by voice as the agent heard it; null when the agent began.',
    }),
    interrupted: Type.Boolean({ description: 'Whether the caller interrupted.' }),
    words: { ...Text, description: 'What the agent said.' },
    calls: Type.Array(TestToolCall),
    first_word_ms: nullable({ ...Amount, description: 'Until its first word; null if it said nothing.' }),
    first_audio_ms: Type.Optional(
      nullable({
        ...Amount,
        description:
          'By voice: from the end of the words of the caller until the first sound of the agent reached the caller; null if none did.',
      }),
    ),
    decisions: Type.Optional(
      Type.Array(TestDecision, { description: 'The answers of its model, in order; several if it called tools.' }),
    ),
  },
  { title: 'TestTurn', additionalProperties: false, description: 'What was heard, decided and said.' },
);

const TestCheck = Type.Object(
  {
    expected: Text,
    outcome: oneOf(
      'TestOutcome',
      ['passed', 'failed', 'undecided', 'not_checked'],
      '`undecided`: it could not be decided, so the run is invalid. `not_checked`: rules answered, which neither take time nor cost anything.',
    ),
    found: Text,
    votes: Type.Optional(Type.Array(TestVote, { description: 'Those of a judge.' })),
  },
  { title: 'TestCheck', additionalProperties: false, description: 'An expectation, and the fact that decided.' },
);

export const TestConversation = Type.Object(
  {
    status: oneOf('TestConversationStatus', ['passed', 'failed', 'invalid'], 'The outcome of the conversation.'),
    times: Type.Integer({ minimum: 1, description: 'How many runs went like this.' }),
    checks: Type.Array(TestCheck),
    turns: Type.Array(TestTurn),
    end_reason: oneOf(
      'TestEndReason',
      ['caller_hung_up', 'agent_hung_up', 'transferred', 'script_over', 'failed'],
      'How the conversation ended.',
    ),
    error: nullable(Text),
    world: { ...FreeObject, description: 'The state of the tools in the end.' },
    cost: nullable(Type.String({ maxLength: 64, description: 'Null if a price is not known.' })),
    duration_ms: Amount,
  },
  { title: 'TestConversation', additionalProperties: false },
);

/** An example. */
export const conversation = {
  status: 'failed',
  times: 1,
  checks: [{ expected: 'the agent says "ten"', outcome: 'failed', found: 'not said' }],
  turns: [{ at_ms: 0, heard: 'When do you open?', interrupted: false, words: 'At nine.', calls: [], first_word_ms: 0 }],
  end_reason: 'script_over',
  error: null,
  world: {},
  cost: '0',
  duration_ms: 0,
};
