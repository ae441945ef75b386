import type { RecipientDetail } from '@switchboard/client';
import { Link } from 'wouter';
import { OUTCOME_LABELS } from '../../data/campaign-words.ts';
import { useRecipient } from '../../data/campaigns.ts';
import { formatNumber } from '../../data/numbers.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { RecipientBadge, reasonText } from './recipient-state.tsx';

/** The story of one person: data, each attempt with its call, and what comes next. */
export function RecipientStory({ campaign, id, onClose }: { campaign: string; id: string; onClose: () => void }) {
  const { data, error, refetch } = useRecipient(campaign, id);
  return (
    <Dialog title={data ? formatNumber(data.phone_number) : 'A person'} isOpen isWide onClose={onClose}>
      {error && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && <Story recipient={data} />}
    </Dialog>
  );
}

function Story({ recipient }: { recipient: RecipientDetail }) {
  const { state, created_at, attempts, next_at, finished_at, phone_number, external_id } = recipient;
  const decisions = `/policies?tab=decisions&number=${encodeURIComponent(phone_number)}`;
  return (
    <>
      <p className="headline">
        <RecipientBadge state={state} />
        <span>{reasonText(recipient)}</span>
        {external_id !== phone_number && <span className="muted">{external_id}</span>}
      </p>
      <ol className="story">
        <li>
          <Time at={created_at} precise /> <span>Added</span>
        </li>
        {attempts.map(({ attempt, call_id, outcome, started_at }) => (
          <li key={attempt}>
            <Time at={started_at} precise />{' '}
            <span>
              {`Attempt ${attempt}: `}
              <Link to={`/calls/${call_id}`}>{outcome ? OUTCOME_LABELS[outcome] : 'in progress'}</Link>
            </span>
          </li>
        ))}
        {finished_at ? (
          <li>
            <Time at={finished_at} precise /> <span>Finished</span>
          </li>
        ) : (
          next_at && (
            <li>
              <Time at={next_at} precise /> <span className="muted">May be called from then on</span>
            </li>
          )
        )}
      </ol>
      <FactList variables={recipient.variables} metadata={recipient.metadata} />
      <p>
        <Link to={decisions}>Why was this number called, or not?</Link>
      </p>
    </>
  );
}
