import type { Campaign } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { estimatedEnd } from '../../data/campaign-words.ts';
import { useCampaigns } from '../../data/campaigns.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CampaignDialog } from './campaign-dialog.tsx';
import { CampaignBadge, ProgressBar } from './campaign-state.tsx';

/** Lists of people to call, and how far each is. */
export default function CampaignsPage() {
  const campaigns = useCampaigns();
  const agents = useAgents().data;
  const [isCreating, setCreating] = useState(false);
  const rows = campaigns.data?.pages.flatMap(({ items }) => items) ?? [];
  const create = (
    <Button needs="createCampaign" kind="primary" icon="plus" onClick={() => setCreating(true)}>
      New campaign
    </Button>
  );
  return (
    <Page
      title="Campaigns"
      text="Lists of people whom an agent calls, within your policies. No attempt is dialled twice."
      actions={rows.length > 0 && create}
    >
      {campaigns.isPending && <Skeleton />}
      {campaigns.error && <Failure error={campaigns.error} onRetry={campaigns.refetch} />}
      {campaigns.data && rows.length === 0 && (
        <Empty
          title="No campaigns"
          text="Make one, add people from a CSV file, see who may be called and when, and start it. In the sandbox no phone rings."
        >
          {create}
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          label="Campaigns"
          columns={columnsOf(agents && new Map(agents.map(({ id, name }) => [id, name])))}
          rows={rows}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/campaigns/${id}`}
        />
      )}
      <More query={campaigns} />
      {isCreating && <CampaignDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function columnsOf(agents: Map<string, string> | undefined): Column<Campaign>[] {
  return [
    {
      title: 'Campaign',
      cell: (campaign) => (
        <span className="stack">
          <span className="strong anywhere">{campaign.name}</span>
          <span className="muted small">{agents && (agents.get(campaign.agent_id) ?? 'A deleted agent')}</span>
        </span>
      ),
    },
    {
      title: 'State',
      cell: (campaign) => (
        <span className="stack">
          <CampaignBadge campaign={campaign} />
          <span className="muted small number nowrap">
            {`${campaign.recipients.reached.toLocaleString()} of ${campaign.recipients.total.toLocaleString()} reached`}
          </span>
        </span>
      ),
    },
    { title: 'Progress', isMinor: true, cell: (campaign) => <ProgressBar campaign={campaign} /> },
    count('Waiting', ({ waiting }) => waiting),
    count('Deferred', ({ deferred }) => deferred),
    count('Not allowed', ({ suppressed, refused }) => suppressed + refused),
    { title: 'Cost', isNumber: true, isMinor: true, cell: ({ spent }) => <Money amount={spent} /> },
    { title: 'End', isNumber: true, isMinor: true, cell: (campaign) => <End campaign={campaign} /> },
  ];
}

function count(title: string, of: (recipients: Campaign['recipients']) => number): Column<Campaign> {
  return { title, isNumber: true, isMinor: true, cell: ({ recipients }) => of(recipients).toLocaleString() };
}

/** When it ended, or is expected to. */
function End({ campaign }: { campaign: Campaign }) {
  if (campaign.ended_at) return <Time at={campaign.ended_at} />;
  const expected = estimatedEnd(campaign, new Date());
  if (!expected) return <Time at={null} />;
  return (
    <span className="nowrap">
      {'about '}
      <Time at={expected.toISOString()} />
    </span>
  );
}
