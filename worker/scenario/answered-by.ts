import type { Ask, Question } from '@switchboard/scenarios/ask';

/** `unavailable` is a machine that takes no message. */
type AnsweredBy = 'human' | 'voicemail' | 'unavailable';

const LABELS: Record<string, AnsweredBy> = { 'machine-vm': 'voicemail', 'machine-unavailable': 'unavailable' };

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

/** Tells who has answered a phone. Phone menus and doubtful ones are talked to, as in a call. */
export function createAnsweredBy(ask: Ask): (words: string) => Promise<AnsweredBy> {
  return async (words) => {
    const messages: Question['messages'] = [
      { role: 'system', content: ROLE },
      { role: 'user', content: words },
    ];
    const { call } = await ask({ model: null, messages, tool: SAVE, mustCall: true });
    return LABELS[String(call?.label)] ?? 'human';
  };
}
