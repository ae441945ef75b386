import { Type } from 'typebox';
import { DateTime, Id, NumericString, nullable } from '../../http/wire.ts';
import { CampaignState, countsBy, RecipientCounts, zeros } from './schema.ts';
import { OUTCOMES } from './state-schema.ts';

const AttemptCounts = Type.Object(
  { total: Type.Integer({ minimum: 0 }), open: Type.Integer({ minimum: 0 }), ...countsBy(OUTCOMES) },
  { title: 'AttemptCounts', description: 'Attempts by outcome; `open`: the call has not ended.' },
);

export const CampaignStats = Type.Object(
  {
    campaign_id: Id,
    state: CampaignState,
    recipients: RecipientCounts,
    attempts: AttemptCounts,
    spent: NumericString,
    estimated_end_at: nullable({
      ...DateTime,
      description: 'If it goes on as it has since it was started. Null unless it runs and somebody has finished.',
    }),
  },
  {
    title: 'CampaignStats',
    examples: [
      {
        campaign_id: '01980000-0000-7000-8000-000000000041',
        state: 'running',
        recipients: { total: 3, ...zeros, waiting: 1, reached: 2 },
        attempts: { total: 2, open: 0, ...Object.fromEntries(OUTCOMES.map((name) => [name, 0])), answered: 2 },
        spent: '12.5',
        estimated_end_at: '2026-01-15T09:45:00.000Z',
      },
    ],
  },
);
