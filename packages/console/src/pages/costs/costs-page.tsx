import { Page } from '../../ui/page.tsx';
import { useMay } from '../../ui/permission.ts';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { OneUser } from '../users/one-user.tsx';
import { BudgetView } from './budget-view.tsx';
import { CostReportView } from './cost-report.tsx';
import { PriceBook } from './price-book.tsx';

const TABS = [
  ['report', 'Report'],
  ['budget', 'Budget'],
  ['prices', 'Price book'],
] as const;

/** Costs: the report, and the prices behind it. */
export function CostsPage() {
  const tabs = useMay('listPrices') ? TABS : TABS.filter(([id]) => id !== 'prices');
  const tab = useTab({ tabs });
  return (
    <Page title="Costs" text="Exact to the last digit, current to the last event. Days are in UTC.">
      <Tabs label="Costs" tabs={tabs} />
      {tab === 'report' && <CostReportView />}
      {tab === 'budget' && (
        <OneUser why="A budget is for one user: the amount that the user may spend in a month.">
          <BudgetView />
        </OneUser>
      )}
      {tab === 'prices' && <PriceBook />}
    </Page>
  );
}
