import type { Campaign, CampaignPreview } from '@switchboard/client';
import { useEffect } from 'react';
import { usePreview } from '../../data/campaigns.ts';
import { Bars } from '../../ui/bars.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Entries } from '../../ui/file.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const HOUR = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Shows who may be called when, and who may not, before anybody is. */
export function Preview({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const preview = usePreview(campaign.id);
  const { mutate } = preview;
  useEffect(() => mutate(), [mutate]);
  return (
    <Dialog title="Who may be called when?" isOpen isWide onClose={onClose}>
      {preview.isPending && <Skeleton lines={5} />}
      {preview.error && <Failure error={preview.error} onRetry={() => mutate()} />}
      {preview.data && <Found preview={preview.data} />}
    </Dialog>
  );
}

function Found({ preview }: { preview: CampaignPreview }) {
  const { waiting, decided, is_sample, same_number, now, hours, refused } = preview;
  return (
    <>
      <p>
        <strong>{`${now.toLocaleString()} may be called now`}</strong>
        {`, ${(decided - now - refused).toLocaleString()} later, ${refused.toLocaleString()} not at all.`}
        {is_sample && ` Of the ${waiting.toLocaleString()} who wait, these are the first ${decided.toLocaleString()}.`}
        {same_number > 0 && ` ${same_number.toLocaleString()} of them have the number of somebody before them.`}
      </p>
      {hours.length > 0 && (
        <Bars
          label="First allowed, by hour"
          bars={hours.map(({ from, recipients }) => ({ label: HOUR.format(Date.parse(from)), count: recipients }))}
        />
      )}
      <Refusals preview={preview} />
      <p className="muted small">Decided as of now; nobody was called, and nothing was recorded.</p>
    </>
  );
}

function Refusals({ preview: { refusals, refused } }: { preview: CampaignPreview }) {
  if (refusals.length === 0) return null;
  return (
    <div className="mistakes">
      <p className="strong">Not called</p>
      <Entries
        label="Not called"
        entries={refusals.map(({ external_id, detail }) => [external_id, detail])}
        total={refused}
      />
    </div>
  );
}
