import { type Report, type ReportChoice, useCostDownload, useCostReport } from '../../data/costs.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CostTable } from './cost-table.tsx';
import { ReportChoices, useReportChoice } from './report-choice.tsx';
import { ReportPlot } from './report-plot.tsx';
import { Unpriced } from './unpriced.tsx';

/** Any grouping and range of the costs: as figures, a plot, and a table of the same rows. */
export function CostReportView() {
  const chosen = useReportChoice();
  const report = useCostReport(chosen.choice);
  const download = useCostDownload(chosen.choice);
  return (
    <>
      <search className="filters">
        <ReportChoices {...chosen} />
        <Button icon="down" onClick={() => download.mutate()} isBusy={download.isPending}>
          CSV
        </Button>
      </search>
      {download.error && <Failure error={download.error} />}
      {report.isPending && <Skeleton lines={8} />}
      {report.error && <Failure error={report.error} onRetry={report.refetch} />}
      {report.data && <Found report={report.data} choice={chosen.choice} />}
    </>
  );
}

function Found({ report, choice }: { report: Report; choice: ReportChoice }) {
  if (report.events === 0) {
    return (
      <Empty title="No costs in these days" text="Usage that workers report, and the line, appear here at once." />
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
      <ReportPlot report={report} choice={choice} />
      <CostTable report={report} choice={choice} />
      {report.isCut && <p className="muted">The first 1,000 groups are shown; the totals and the file have all.</p>}
    </>
  );
}
