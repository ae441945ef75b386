import { namedIn, recipientsIn } from './settings.ts';
import { OUTCOMES } from './state-schema.ts';
import type { CampaignRow, Count } from './store.ts';

/** The counts of a campaign, and when it will be done if it goes on as it has. */
export function statsOf({ id, state, spent, started_at }: CampaignRow, counts: Count[], now: Date) {
  const recipients = recipientsIn(counts);
  const attempts = namedIn(counts, 'attempts', ['open', ...OUTCOMES]);
  const { total, waiting, deferred, dialling, connected } = recipients;
  const left = waiting + deferred + dialling + connected;
  const elapsed = started_at ? now.getTime() - started_at.getTime() : 0;
  const isKnown = state === 'running' && left < total && elapsed > 0;
  return {
    campaign_id: id,
    state,
    recipients,
    attempts: { total: Object.values(attempts).reduce((sum, count) => sum + count, 0), ...attempts },
    spent,
    estimated_end_at: isKnown ? new Date(now.getTime() + (elapsed / (total - left)) * left) : null,
  };
}
