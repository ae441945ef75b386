import { type Report, useCostDownload, useCostReport, usePlottedReport } from '../../data/costs.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CostTable } from './cost-table.tsx';
import { GroupChoices, ReportChoices, useReportChoice } from './report-choice.tsx';
import { ReportPlot } from './report-plot.tsx';
import { Unpriced } from './unpriced.tsx';

/** Costs by any grouping and range: totals, a plot, and a table of the same figures. */
export function CostReportView() {
  const chosen = useReportChoice();
  const report = useCostReport(chosen.choice);
  const plotted = usePlottedReport(chosen.choice);
  const download = useCostDownload(chosen.choice);
  const error = report.error ?? plotted.error;
  return (
    <>
      <search className="report-choices">
        <div className="filters">
          <ReportChoices {...chosen} />
          <Button icon="down" onClick={() => download.mutate()} isBusy={download.isPending}>
            CSV
          </Button>
        </div>
        <GroupChoices {...chosen} />
      </search>
      {download.error && <Failure error={download.error} />}
      {!error && !(report.data && plotted.data) && <Skeleton lines={8} />}
      {error && <Failure error={error} onRetry={report.error ? report.refetch : plotted.refetch} />}
      {report.data && plotted.data && <Found report={report.data} plotted={plotted.data} />}
    </>
  );
}

function Found({ report, plotted }: { report: Report; plotted: Report }) {
  if (report.events === 0) {
    return (
      <Empty
        title="No costs in this period"
        text="Usage reported by workers, and phone line costs, appear here immediately."
        to="/agents"
        action="Have an agent call you"
      />
    );
  }
  const { currency } = report;
  const unpriced = report.unpriced.events;
  return (
    <>
      <dl className="figures">
        <Figure label="Total" value={<Money amount={report.total_cost} exact />} below={currency} />
        <Figure label="Entries" value={report.events} below="of the ledger" />
        <Figure
          label="Without a price"
          value={<span className={unpriced > 0 ? 'problem' : undefined}>{unpriced}</span>}
          below={unpriced > 0 ? 'they count as 0 in these sums' : 'everything is priced'}
        />
      </dl>
      <Unpriced report={report} />
      <ReportPlot report={plotted} />
      {plotted.isCut && (
        <p className="muted">The first 1,000 groups are plotted; the totals and the file include all.</p>
      )}
      <CostTable report={report} />
      {report.isCut && <p className="muted">The first 1,000 groups are listed; the totals and the file include all.</p>}
    </>
  );
}
