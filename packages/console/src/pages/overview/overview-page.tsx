import { useAgents } from '../../data/agents.ts';
import { useCallStats } from '../../data/overview.ts';
import { useSession } from '../../data/session.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Templates } from '../agents/templates.tsx';
import { CallPlot } from './call-plot.tsx';
import { CostPlot } from './cost-plot.tsx';
import { Figures } from './figures.tsx';
import { FirstCall } from './first-call.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Outcomes } from './outcomes.tsx';
import { PeriodChoice, usePeriod } from './period.tsx';
import { ServiceState } from './service-state.tsx';

/** The state of the service at a glance; without an agent or a call, the steps to the first one. */
export function OverviewPage() {
  const agents = useAgents();
  const [days, setDays] = usePeriod();
  const stats = useCallStats(days);
  const isAll = useSession().user === null;
  const error = agents.error ?? stats.error;
  const failure = error && <Failure error={error} onRetry={agents.error ? agents.refetch : stats.refetch} />;
  if ((!agents.data && !isAll) || !stats.data) return <Page title="Overview">{failure ?? <Skeleton lines={8} />}</Page>;
  const isEmpty = agents.data?.length === 0;
  const first = stats.data.period.calls === 0 && agents.data?.[0];
  return (
    <Page
      title="Overview"
      text={textOf(days, isEmpty, isAll)}
      actions={!isEmpty && <PeriodChoice days={days} onChoose={setDays} />}
    >
      {failure}
      <NeedsYou />
      {isEmpty ? (
        <Templates isFirst />
      ) : (
        <>
          <Figures days={days} stats={stats.data} />
          {first && <FirstCall agent={first} />}
          <div className="halves">
            <Outcomes reasons={stats.data.reasons} />
            <CostPlot days={days} />
          </div>
          <CallPlot days={days} byDay={stats.data.byDay} />
        </>
      )}
      <ServiceState />
    </Page>
  );
}

function textOf(days: number, isEmpty: boolean, isAll: boolean): string | undefined {
  if (isEmpty) return undefined;
  return isAll ? `The last ${days} days of all users, in UTC.` : `The last ${days} days, in UTC.`;
}
