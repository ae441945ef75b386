import { type CallTotal, decimal } from '@switchboard/client';
import { Link } from 'wouter';
import { useLiveCalls } from '../../data/live.tsx';
import { useCostTimeline, utcDay } from '../../data/overview.ts';
import { Figure } from '../../ui/figure.tsx';
import { Money } from '../../ui/money.tsx';
import { formatSeconds } from '../../ui/time.tsx';

type Total = CallTotal;

/** Figures of the last 30 days, with today’s below. */
export function Figures({ stats: { month, today } }: { stats: { month: Total; today: Total } }) {
  const { ids, isLoaded } = useLiveCalls();
  const days = useCostTimeline().data ?? [];
  const cost = decimal.sum(days.map(({ total_cost }) => total_cost));
  const costToday = days.find(({ date }) => date === utcDay())?.total_cost ?? '0';
  return (
    <dl className="figures">
      <Figure
        label="Open now"
        value={<Link to="/live">{isLoaded ? ids.length : '–'}</Link>}
        below={ids.length > 0 ? 'ringing or talking' : 'no call'}
      />
      <Figure label="Calls" value={month.calls} below={`${today.calls} today`} />
      <Figure label="Answer rate" value={percent(month.answer_rate)} below={`${percent(today.answer_rate)} today`} />
      <Figure label="Talk time" value={talkTime(month)} below={`${talkTime(today)} today`} />
      <Figure
        label="Ring time, p95"
        value={month.ring ? `${month.ring.p95_s.toFixed(1)} s` : '–'}
        below="until answered or over"
      />
      <Figure
        label="Cost"
        value={<Money amount={cost} />}
        below={
          <>
            <Money amount={costToday} /> today
          </>
        }
      />
    </dl>
  );
}

const percent = (rate: number | null) => (rate === null ? '–' : `${Math.round(rate * 100)} %`);

/** The report has the mean per answered call; multiplied by the answered calls it gives the total talk time. */
const talkTime = ({ talk, answered }: Total) => (talk ? formatSeconds(talk.mean_s * answered) : '0:00');
