import type { AttemptOutcome, Campaign } from '@switchboard/client';
import { percentText } from '../../data/call-figures.ts';
import { OUTCOME_LABELS } from '../../data/campaign-words.ts';
import { useCampaignStats } from '../../data/campaigns.ts';
import { Bars } from '../../ui/bars.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { ProgressBar, ProgressLegend } from './campaign-state.tsx';

/** How far a campaign is: its people, its attempts, its cost, and when it may be finished. */
export function CampaignFigures({ campaign }: { campaign: Campaign }) {
  const { data: stats, error } = useCampaignStats(campaign.id);
  const { total, reached } = campaign.recipients;
  const share = total > 0 ? percentText(reached / total) : '';
  const outcomes = (Object.keys(OUTCOME_LABELS) as AttemptOutcome[])
    .map((name) => ({ label: OUTCOME_LABELS[name], count: stats?.attempts[name] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return (
    <section className="campaign-figures" aria-label="Progress">
      <dl className="figures">
        <Figure label="Reached" value={reached.toLocaleString()} below={`of ${total.toLocaleString()}, ${share}`} />
        <Figure
          label="Attempts"
          value={stats?.attempts.total.toLocaleString() ?? '–'}
          below={stats && openText(stats.attempts.open)}
        />
        <Figure
          label="Cost"
          value={<Money amount={campaign.spent} />}
          below={campaign.budget === null ? 'no budget' : <BudgetText budget={campaign.budget} />}
        />
        <Figure
          label={campaign.ended_at ? 'Ended' : 'Expected to finish'}
          value={<Time at={campaign.ended_at ?? stats?.estimated_end_at ?? null} />}
        />
      </dl>
      {error && <Failure error={error} />}
      <ProgressBar campaign={campaign} />
      <ProgressLegend campaign={campaign} />
      {outcomes.length > 0 && <Bars label="Attempts by outcome" bars={outcomes} />}
    </section>
  );
}

const openText = (open: number) => (open === 0 ? 'none in progress' : `${open} in progress`);

function BudgetText({ budget }: { budget: string }) {
  return (
    <>
      of <Money amount={budget} />
    </>
  );
}
