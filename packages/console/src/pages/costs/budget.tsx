import type { Budget } from '@switchboard/client';
import { useState } from 'react';
import { useBudget } from '../../data/budget.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BudgetDialog } from './budget-dialog.tsx';

/** The monthly limit, and how much of it is spent. */
export function BudgetView() {
  const budget = useBudget();
  const [isEditing, setEditing] = useState(false);
  const edit = (
    <Button kind="primary" onClick={() => setEditing(true)}>
      {budget.data ? 'Change the budget' : 'Set a budget'}
    </Button>
  );
  return (
    <>
      {budget.isPending && <Skeleton lines={3} />}
      {budget.error && <Failure error={budget.error} onRetry={budget.refetch} />}
      {budget.data === null && (
        <Empty
          title="No budget"
          text="A budget reports thresholds, and can refuse or end calls once a month’s limit is reached."
        >
          {edit}
        </Empty>
      )}
      {budget.data && (
        <div className="form narrow">
          <Spent budget={budget.data} />
          <div className="actions">{edit}</div>
        </div>
      )}
      {isEditing && <BudgetDialog budget={budget.data ?? null} onClose={() => setEditing(false)} />}
    </>
  );
}

function Spent({
  budget: { monthly_limit, spent, month, thresholds, reached, refuse_calls, end_calls },
}: {
  budget: Budget;
}) {
  const share = monthly_limit === null ? null : (Number(spent) / Number(monthly_limit)) * 100;
  const effects = [refuse_calls && 'new calls are refused', end_calls && 'open calls are ended'].filter(Boolean);
  return (
    <>
      <p className="figure-value number">
        <Money amount={spent} />
        <span className="muted small">
          {' '}
          of {monthly_limit === null ? 'no limit' : <Money amount={monthly_limit} />} in {month}
        </span>
      </p>
      {share !== null && (
        <meter
          className={share >= 100 ? 'budget over' : 'budget'}
          aria-label="Budget spent"
          min={0}
          max={100}
          value={Math.min(share, 100)}
        >
          {share.toFixed(0)} %
        </meter>
      )}
      <p className="muted">
        {share !== null && `${share.toFixed(share < 10 ? 1 : 0)} % is spent. `}
        {effects.length > 0 ? `At the limit ${effects.join(' and ')}.` : 'At the limit calls continue.'}{' '}
        {thresholds.length > 0 &&
          `Reported at ${thresholds.map((one) => `${one} %`).join(', ')}${reached.length > 0 ? `; reached: ${reached.map((one) => `${one} %`).join(', ')}` : ''}.`}
      </p>
    </>
  );
}
