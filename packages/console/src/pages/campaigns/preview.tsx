import type { Campaign, CampaignPreview } from '@switchboard/client';
import { useEffect } from 'react';
import { usePreview } from '../../data/campaigns.ts';
import { Bars } from '../../ui/bars.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
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
  const { waiting, decided, is_sample, now, hours, refused } = preview;
  return (
    <>
      <p>
        <strong>{`${now.toLocaleString()} may be called now`}</strong>
        {`, ${(decided - now - refused).toLocaleString()} later, ${refused.toLocaleString()} not at all.`}
        {is_sample && ` Of the ${waiting.toLocaleString()} who wait, these are the first ${decided.toLocaleString()}.`}
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
  const more = refused - refusals.length;
  return (
    <div className="mistakes">
      <p className="strong">Not called</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul tabIndex={0} aria-label="Not called">
        {refusals.map(({ recipient_id, external_id, detail }) => (
          <li key={recipient_id}>
            <span className="strong nowrap">{external_id}</span>
            <span>{detail}</span>
          </li>
        ))}
        {more > 0 && <li className="muted">{`And ${more.toLocaleString()} more.`}</li>}
      </ul>
    </div>
  );
}
