import type { Campaign } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { useCampaign } from '../../data/campaigns.ts';
import { useIsSandbox } from '../../data/service.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AddRecipients } from './add-recipients.tsx';
import { CampaignButtons } from './campaign-buttons.tsx';
import { CampaignDialog } from './campaign-dialog.tsx';
import { CampaignFigures } from './campaign-figures.tsx';
import { Blocked, CampaignBadge } from './campaign-state.tsx';
import { Preview } from './preview.tsx';
import { RecipientList } from './recipient-list.tsx';

const BACK = { to: '/campaigns', label: 'Campaigns' };

/** One campaign: how far it is, what may be done with it, and its people. */
export default function CampaignPage({ id }: { id: string }) {
  const { data: campaign, error, refetch } = useCampaign(id);
  if (!campaign)
    return (
      <Page title="Campaign" back={BACK}>
        {error ? <Failure error={error} onRetry={refetch} /> : <Skeleton lines={8} />}
      </Page>
    );
  return (
    <Page
      title={campaign.name}
      text={<Headline campaign={campaign} />}
      back={BACK}
      actions={<CampaignButtons campaign={campaign} />}
    >
      <SandboxNotice campaign={campaign} />
      <Blocked campaign={campaign} />
      {error && <Failure error={error} onRetry={refetch} />}
      {campaign.recipients.total > 0 && <CampaignFigures campaign={campaign} />}
      <Preparing campaign={campaign} />
      <RecipientList campaign={campaign} />
    </Page>
  );
}

function Headline({ campaign }: { campaign: Campaign }) {
  const agents = useAgents().data;
  const agent = agents?.find(({ id }) => id === campaign.agent_id)?.name;
  const { pacing, purpose, policy } = campaign;
  const pace = `${pacing.max_concurrent} calls at the same time, ${pacing.per_minute} a minute`;
  return (
    <span className="headline">
      <CampaignBadge campaign={campaign} />
      {agents && <span>{agent ?? 'A deleted agent'}</span>}
      <span>{policy ? `${purpose}, by ${policy}` : purpose}</span>
      <span>{pace}</span>
    </span>
  );
}

function SandboxNotice({ campaign: { state } }: { campaign: Campaign }) {
  if (!useIsSandbox() || state === 'completed' || state === 'canceled') return null;
  return (
    <p className="notice">
      <span>
        <strong>Sandbox.</strong> No phone rings: people are simulated, and what they do depends on their number.
      </span>
    </p>
  );
}

/** Adding people, settings, and who may be called when: as long as it is not over. */
function Preparing({ campaign }: { campaign: Campaign }) {
  const [open, setOpen] = useState<'recipients' | 'settings' | 'preview' | null>(null);
  if (campaign.state === 'canceled') return null;
  const close = () => setOpen(null);
  return (
    <div className="actions">
      <Button
        needs="addRecipients"
        icon="up"
        kind={campaign.recipients.total === 0 ? 'primary' : 'plain'}
        onClick={() => setOpen('recipients')}
      >
        Add people from a file
      </Button>
      {campaign.recipients.waiting + campaign.recipients.deferred > 0 && (
        <Button needs="previewCampaign" onClick={() => setOpen('preview')}>
          Who may be called when?
        </Button>
      )}
      {campaign.state !== 'completed' && (
        <Button needs="updateCampaign" onClick={() => setOpen('settings')}>
          Settings
        </Button>
      )}
      {open === 'recipients' && <AddRecipients campaign={campaign} onClose={close} />}
      {open === 'settings' && <CampaignDialog campaign={campaign} onClose={close} />}
      {open === 'preview' && <Preview campaign={campaign} onClose={close} />}
    </div>
  );
}
