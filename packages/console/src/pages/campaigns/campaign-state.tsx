import type { Campaign } from '@switchboard/client';
import { blockText, groupCounts, STATE_LABELS } from '../../data/campaign-words.ts';
import { Legend } from '../../ui/legend.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

const TONES: Record<Campaign['state'], Tone> = {
  draft: 'quiet',
  running: 'good',
  paused: 'warn',
  completed: 'quiet',
  canceled: 'bad',
};

/** The state of a campaign, and why it dials nobody if it runs and does not. */
export function CampaignBadge({ campaign: { state, blocked } }: { campaign: Pick<Campaign, 'state' | 'blocked'> }) {
  if (state === 'running' && blocked) return <Badge tone="warn">Waiting</Badge>;
  return <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>;
}

/** Why a running campaign dials nobody, and until when. */
export function Blocked({
  campaign: { blocked, abandonment },
}: {
  campaign: Pick<Campaign, 'blocked' | 'abandonment'>;
}) {
  if (!blocked) return null;
  return (
    <p className="notice" role="status">
      <span>
        <strong>Nobody is dialled.</strong> {blockText(blocked.reason, abandonment)}
        {blocked.until && (
          <>
            {' Until '}
            <Time at={blocked.until} />.
          </>
        )}
      </span>
    </p>
  );
}

/** Recipients by what became of them, as parts of one bar. */
export function ProgressBar({ campaign }: { campaign: Pick<Campaign, 'recipients'> }) {
  const groups = groupCounts(campaign);
  const total = campaign.recipients.total || 1;
  const text = groups.map(({ name, count }) => `${name} ${count}`).join(', ');
  return (
    <div className="campaign-bar" role="img" aria-label={text}>
      {groups.map(({ name, className, count }) => (
        <span
          key={name}
          className={`campaign-part ${className}`}
          title={`${name}: ${count}`}
          style={{ inlineSize: `${(count / total) * 100}%` }}
        />
      ))}
    </div>
  );
}

/** Meanings of the bar's colors, with the counts. */
export function ProgressLegend({ campaign }: { campaign: Pick<Campaign, 'recipients'> }) {
  const items = groupCounts(campaign).map(({ name, className, count }) => ({
    name,
    className,
    value: count.toLocaleString(),
  }));
  return <Legend items={items} />;
}
