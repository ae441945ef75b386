import type { Campaign, Recipient, RecipientState } from '@switchboard/client';
import { useState } from 'react';
import { RECIPIENT_LABELS } from '../../data/campaign-words.ts';
import { useRecipients } from '../../data/campaigns.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useText } from '../../ui/address.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { RecipientBadge, reasonText } from './recipient-state.tsx';
import { RecipientStory } from './recipient-story.tsx';

const STATES = Object.entries(RECIPIENT_LABELS) as [RecipientState, string][];

/** The people of a campaign, by their state. */
export function RecipientList({ campaign }: { campaign: Campaign }) {
  const [state, setState] = useText('state');
  const list = useRecipients(campaign.id, state as RecipientState | '');
  const [shown, setShown] = useState<string | null>(null);
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (campaign.recipients.total === 0)
    return <Empty title="Nobody to call yet" text="Add people from a CSV file: one column has their phone numbers." />;
  return (
    <Section
      title="People"
      actions={
        <select aria-label="State" value={state} onChange={({ target }) => setState(target.value)}>
          <option value="">All states</option>
          {STATES.map(([name, label]) => (
            <option key={name} value={name}>{`${label} (${campaign.recipients[name].toLocaleString()})`}</option>
          ))}
        </select>
      }
    >
      {list.isPending && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && <Empty title="Nobody is in this state" />}
      {rows.length > 0 && <Table label="People" columns={columnsOf(setShown)} rows={rows} keyOf={({ id }) => id} />}
      <More query={list} />
      {shown && <RecipientStory campaign={campaign.id} id={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}

function columnsOf(onShow: (id: string) => void): Column<Recipient>[] {
  return [
    {
      title: 'Person',
      cell: ({ id, phone_number, external_id }) => (
        <button type="button" className="text-button stack" onClick={() => onShow(id)}>
          <span className="number strong nowrap">{formatNumber(phone_number)}</span>
          {external_id !== phone_number && <span className="muted small">{external_id}</span>}
        </button>
      ),
    },
    {
      title: 'State',
      cell: (recipient) => (
        <span className="stack">
          <RecipientBadge state={recipient.state} />
          <span className="muted small">{reasonText(recipient)}</span>
        </span>
      ),
    },
    { title: 'Attempts', isNumber: true, isMinor: true, cell: ({ attempts }) => attempts.length },
    {
      title: 'Next',
      isNumber: true,
      isMinor: true,
      cell: ({ next_at, finished_at }) => (finished_at ? <Time at={null} /> : <Time at={next_at} />),
    },
    { title: 'Finished', isNumber: true, isMinor: true, cell: ({ finished_at }) => <Time at={finished_at} /> },
  ];
}
