import type { Campaign } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ACTIONS } from '../../data/campaign-words.ts';
import { type CampaignAction, useCampaignActions, useResultDownload } from '../../data/campaigns.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';

const LABELS = { start: 'Start', pause: 'Pause', resume: 'Resume', cancel: 'Cancel…', delete: 'Delete…' } as const;

const peopleText = (count: number) =>
  count === 1 ? 'The person still waiting' : `The ${count.toLocaleString()} people still waiting`;

/** Buttons for a campaign in its state. Starting and pausing stay in reach on a phone. */
export function CampaignButtons({ campaign }: { campaign: Campaign }) {
  const { act } = useCampaignActions();
  const download = useResultDownload(campaign);
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const press = (action: keyof typeof LABELS) =>
    action === 'cancel' || action === 'delete' ? setAsking(action) : act.mutate({ id: campaign.id, action });
  const waiting = campaign.recipients.waiting + campaign.recipients.deferred;
  return (
    <div className="campaign-actions">
      {ACTIONS[campaign.state].map((action) => (
        <Button
          key={action}
          needs={`${action}Campaign`}
          kind={action === 'cancel' || action === 'delete' ? 'plain' : 'primary'}
          isBusy={act.isPending && act.variables?.action === (action as CampaignAction)}
          disabled={action === 'start' && waiting === 0}
          onClick={() => press(action)}
        >
          {LABELS[action]}
        </Button>
      ))}
      <Button
        icon="down"
        onClick={() => download.mutate()}
        disabled={download.isPending || campaign.recipients.total === 0}
      >
        CSV
      </Button>
      {(act.error || download.error) && !asking && <Failure error={act.error ?? download.error} />}
      {asking === 'cancel' && (
        <Confirm
          title="Cancel the campaign?"
          text={`${peopleText(waiting)} will not be called. This cannot be undone. Calls in progress continue.`}
          action="Cancel the campaign"
          cancel="Keep it"
          mutation={{ ...act, mutate: (_, options) => act.mutate({ id: campaign.id, action: 'cancel' }, options) }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'delete' && <DeleteDialog id={campaign.id} onClose={() => setAsking(null)} />}
    </div>
  );
}

function DeleteDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { remove } = useCampaignActions();
  const [, navigate] = useLocation();
  return (
    <Confirm
      title="Delete the campaign?"
      text="Its people and their stories are deleted. Calls, costs and decisions stay."
      action="Delete"
      mutation={{ ...remove, mutate: (_, options) => remove.mutate(id, options) }}
      onDone={() => navigate('/campaigns')}
      onClose={onClose}
    />
  );
}
