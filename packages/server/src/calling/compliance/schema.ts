import { Type } from 'typebox';
import { DateTimeInput } from '../../http/wire.ts';

export const DisclosureReport = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 10_000, description: 'As it was said.' }),
    started_at: { ...DateTimeInput, description: 'When the agent began to say it.' },
    is_complete: Type.Boolean({
      description: 'Whether it was said to its end. If not, the person hung up or the voice failed.',
    }),
  },
  {
    title: 'DisclosureReport',
    additionalProperties: false,
    description: 'The first words of an outbound call (`compliance.disclosure`). The first report of a call counts.',
    examples: [{ text: 'This is an AI calling.', started_at: '2026-01-15T09:30:02.000Z', is_complete: true }],
  },
);
