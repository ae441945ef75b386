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
    <Button needs="setBudget" kind="primary" onClick={() => setEditing(true)}>
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
  budget: { monthly_limit, spent, reserved, month, thresholds, reached, refuse_calls, end_calls, count_tests },
}: {
  budget: Budget;
}) {
  const share = monthly_limit === null ? null : (Number(spent) / Number(monthly_limit)) * 100;
  const reservedShare = monthly_limit === null ? 0 : (Number(reserved) / Number(monthly_limit)) * 100;
  const effects = [
    refuse_calls && 'new calls are refused',
    end_calls && 'open calls are ended',
    count_tests && 'no test run starts',
  ].filter(Boolean);
  return (
    <>
      <p className="figure-value number">
        <Money amount={spent} />
        <span className="muted small">
          {' '}
          of {monthly_limit === null ? 'no limit' : <Money amount={monthly_limit} />} in {month}
        </span>
      </p>
      {share !== null && <BudgetBar share={share} reservedShare={reservedShare} />}
      <p className="muted">
        {share !== null && `${share.toFixed(share < 10 ? 1 : 0)} % is spent. `}
        {Number(reserved) > 0 && (
          <>
            <Money amount={reserved} /> is reserved for open calls.{' '}
          </>
        )}
        {count_tests && 'Test runs count. '}
        {effects.length > 0 ? `At the limit ${effects.join(' and ')}.` : 'At the limit calls continue.'}{' '}
        {thresholds.length > 0 &&
          `Reported at ${thresholds.map((one) => `${one} %`).join(', ')}${reached.length > 0 ? `; reached: ${reached.map((one) => `${one} %`).join(', ')}` : ''}.`}
      </p>
    </>
  );
}

/** The amount spent, followed by the amount that open calls may still cost. */
function BudgetBar({ share, reservedShare }: { share: number; reservedShare: number }) {
  const spent = Math.min(share, 100);
  const label = `${share.toFixed(0)} % spent${reservedShare > 0 ? `, ${reservedShare.toFixed(0)} % reserved` : ''}`;
  return (
    <div className={share >= 100 ? 'budget-bar over' : 'budget-bar'} role="img" aria-label={label}>
      <span style={{ inlineSize: `${spent}%` }} />
      <span className="reserved" style={{ inlineSize: `${Math.min(reservedShare, 100 - spent)}%` }} />
    </div>
  );
}
