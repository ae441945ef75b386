import type { Content } from './extractor-content.ts';

/** An extractor to begin with. */
export interface ExtractorTemplate {
  name: string;
  title: string;
  description: string;
  content: Content;
}

const USUAL = { model: null, when: {}, sample: 1 };
const yesNo = (description: string) => ({ type: 'boolean', description });

/** Questions that most people have about their calls. */
export const EXTRACTOR_TEMPLATES: ExtractorTemplate[] = [
  {
    name: 'outcome',
    title: 'Outcome of a call',
    description: 'What came of it, what it was about, and whether anybody has to call back.',
    content: {
      schema: {
        type: 'object',
        properties: {
          outcome: {
            type: 'string',
            enum: ['answered', 'message taken', 'transferred', 'not helped'],
            description: 'What came of the call, by what was said last about it.',
          },
          about: { type: 'string', description: 'What the caller wanted, in a few words.' },
          wants_a_person: yesNo('Whether the caller asked for a person.'),
          call_back: yesNo('Whether somebody has promised to call back.'),
        },
        required: ['outcome'],
      },
      instructions: 'Judge by what was said. Where a call had several matters, take the one that it began with.',
      ...USUAL,
      weights: {},
    },
  },
  {
    name: 'appointment',
    title: 'Appointment',
    description: 'Whether one was made, moved or canceled, and for when.',
    content: {
      schema: {
        type: 'object',
        properties: {
          appointment: {
            type: 'string',
            enum: ['booked', 'moved', 'confirmed', 'canceled', 'none'],
            description: 'What became of the appointment by the end of the call.',
          },
          when: { type: 'string', description: 'The day and the time that both agreed on, as they were said.' },
          people: { type: 'integer', minimum: 1, maximum: 20, description: 'For how many people it is.' },
          reasons: {
            type: 'array',
            items: { type: 'string', enum: ['price', 'time', 'distance', 'illness', 'other'] },
            description: 'Why it was moved, canceled or not made.',
          },
        },
        required: ['appointment'],
      },
      instructions: 'An appointment is booked only once the caller has agreed to a day and a time.',
      ...USUAL,
      weights: {},
    },
  },
  {
    name: 'quality',
    title: 'Quality scorecard',
    description: 'How well the agent did: questions with weights, which add up to a score for each call.',
    content: {
      schema: {
        type: 'object',
        properties: {
          greeted: yesNo('Whether the agent said who it is before anything else.'),
          understood: yesNo('Whether the agent understood what the caller wanted without asking twice.'),
          answered: yesNo('Whether the caller got an answer, or was told who will give it.'),
          said_nothing_untrue: yesNo('Whether everything that the agent claimed agrees with what it was told.'),
          patience: {
            type: 'integer',
            minimum: 1,
            maximum: 5,
            description: 'How patient the caller was in the end: 1 is angry, 5 is content.',
          },
        },
      },
      instructions: 'You judge the agent, not the caller. Without evidence in the transcript give no answer.',
      ...USUAL,
      weights: { greeted: 1, understood: 2, answered: 3, said_nothing_untrue: 3, patience: 1 },
    },
  },
];

/** One without any question yet. */
export const EMPTY_EXTRACTOR: Content = {
  schema: { type: 'object', properties: { answered: yesNo('Whether the caller got an answer.') } },
  instructions: '',
  model: null,
  when: {},
  sample: 1,
  weights: {},
};
