import type { Ask, Question } from '@switchboard/scenarios/ask';

/** The question that the library asks in a call, by its names, about words that were heard. */
const SAVE: Question['tool'] = {
  name: 'save_prediction',
  description: 'Saves who has answered the phone.',
  parameters: {
    type: 'object',
    properties: {
      label: { type: 'string', enum: ['human', 'machine-ivr', 'machine-unavailable', 'machine-vm', 'uncertain'] },
    },
    required: ['label'],
    additionalProperties: false,
  },
};
const ROLE =
  'Decide by the first words on an outbound call who has answered: a person (human), a phone menu (machine-ivr), a voicemail that takes a message (machine-vm), a machine that takes none (machine-unavailable), or none of these for certain (uncertain). Call save_prediction.';

/** Asks a model for the label of whoever has answered the phone. */
export async function predictionOf(words: string, ask: Ask): Promise<unknown> {
  const messages: Question['messages'] = [
    { role: 'system', content: ROLE },
    { role: 'user', content: words },
  ];
  const { call } = await ask({ model: null, messages, tool: SAVE, mustCall: true });
  return call?.label;
}
