import { type CallTotal, decimal } from '@switchboard/client';
import { Link } from 'wouter';
import { useBudget } from '../../data/budget.ts';
import { costAMinute, percentText, talkSeconds } from '../../data/call-figures.ts';
import { useLiveCalls } from '../../data/live.tsx';
import { useCostTimeline, useLatency, utcDay } from '../../data/overview.ts';
import { useSession } from '../../data/session.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Money } from '../../ui/money.tsx';
import { formatSeconds } from '../../ui/time.tsx';

type Total = CallTotal;

/** A mean, not rounded to nothing: 0.03, 2.4, 31. */
const few = (mean: number) => (mean < 1 ? String(Number(mean.toPrecision(1))) : mean.toFixed(mean < 10 ? 1 : 0));

/** Figures of the period, with today’s below. */
export function Figures({ days, stats: { period, today } }: { days: number; stats: { period: Total; today: Total } }) {
  const { ids, isLoaded } = useLiveCalls();
  const latency = useLatency(days).data;
  return (
    <dl className="figures">
      <Figure
        label="Open now"
        value={<Link to="/live">{isLoaded ? ids.length : '–'}</Link>}
        below={ids.length > 0 ? 'ringing or talking' : 'no call'}
      />
      <Figure label="Calls" value={period.calls} below={`${few(period.calls / days)} a day · ${today.calls} today`} />
      <Figure
        label="Answer rate"
        value={percentText(period.answer_rate)}
        below={`${percentText(today.answer_rate)} today`}
      />
      <Figure label="Talk time" value={formatSeconds(talkSeconds(period))} below={`${talkTime(today)} today`} />
      <Figure
        label="Ring time, p95"
        value={period.ring ? `${period.ring.p95_s.toFixed(1)} s` : '–'}
        below="until answered or over"
      />
      {latency !== undefined && (
        <Figure
          label="Answer latency"
          value={latency ? `${latency.p50_ms} ms` : '–'}
          below={latency ? `median · p95 ${latency.p95_ms} ms` : 'no turn reported'}
        />
      )}
      <CostFigures days={days} talkedSeconds={talkSeconds(period)} />
    </dl>
  );
}

function CostFigures({ days, talkedSeconds }: { days: number; talkedSeconds: number }) {
  const { user } = useSession();
  const costs = useCostTimeline(days).data;
  const cost = costs && decimal.sum(costs.map(({ total_cost }) => total_cost));
  const costToday = costs && (costs.find(({ date }) => date === utcDay())?.total_cost ?? '0');
  const aMinute = cost && costAMinute(cost, talkedSeconds);
  return (
    <>
      <Figure
        label="Cost"
        value={cost ? <Money amount={cost} /> : '–'}
        below={
          costToday ? (
            <>
              <Money amount={costToday} /> today
            </>
          ) : (
            'not known yet'
          )
        }
      />
      <Figure label="Cost a minute" value={aMinute ? <Money amount={aMinute} /> : '–'} below="of talk time" />
      {user !== null && <BudgetFigure />}
    </>
  );
}

/** How much of the month's budget is spent. */
function BudgetFigure() {
  const budget = useBudget().data;
  if (!budget?.monthly_limit) return null;
  const share = (Number(budget.spent) / Number(budget.monthly_limit)) * 100;
  return (
    <Figure
      label="Budget"
      value={
        <Link to="/costs?tab=budget" className={share >= 100 ? 'problem' : undefined}>
          {`${share.toFixed(share < 10 ? 1 : 0)} %`}
        </Link>
      }
      below={
        <>
          <Money amount={budget.spent} /> of <Money amount={budget.monthly_limit} />
        </>
      }
    />
  );
}

const talkTime = (total: Total) => formatSeconds(talkSeconds(total));
