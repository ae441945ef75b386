import type { Budget } from '@switchboard/client';
import { useState } from 'react';
import { settingsOf, useSetBudget } from '../../data/budget.ts';
import { useOneUser } from '../../data/session.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Sets the budget of the user. */
export function BudgetDialog({ budget, onClose }: { budget: Budget | null; onClose: () => void }) {
  const set = useSetBudget();
  const user = useOneUser();
  const [before] = useState(() => settingsOf(budget));
  const [limit, setLimit] = useState(`${before.monthly_limit ?? ''}`);
  const [thresholds, setThresholds] = useState(before.thresholds.join(', '));
  const [refuses, setRefuses] = useState(before.refuse_calls);
  const [ends, setEnds] = useState(before.end_calls);
  const [counts, setCounts] = useState(before.count_tests);
  const [perMinute, setPerMinute] = useState(`${before.cost_per_minute ?? ''}`);
  const [minutes, setMinutes] = useState(`${before.expected_minutes ?? ''}`);
  const wanted = {
    monthly_limit: limit || null,
    thresholds: percentagesIn(thresholds),
    refuse_calls: refuses,
    end_calls: ends,
    count_tests: counts,
    cost_per_minute: perMinute || null,
    expected_minutes: minutes ? Number(minutes) : null,
  };
  return (
    <FormDialog
      title="Monthly budget"
      action="Save"
      isBusy={set.isPending}
      onSubmit={() => set.mutate({ before, wanted }, { onSuccess: onClose })}
      onClose={onClose}
      ask={(api) => api.budgets.set(user, wanted)}
    >
      <Field
        label="Limit"
        hint="In the currency of the costs. Empty: no limit."
        error={set.error && messageOf(set.error)}
      >
        <input inputMode="decimal" value={limit} onChange={(event) => setLimit(event.target.value)} />
      </Field>
      <Field label="Reported at" hint="Percentages of the limit, for webhook endpoints.">
        <input value={thresholds} onChange={(event) => setThresholds(event.target.value)} />
      </Field>
      <Check label="Refuse new calls at the limit" isOn={refuses} onChange={setRefuses} />
      {refuses && (
        <Estimate perMinute={perMinute} minutes={minutes} onPerMinute={setPerMinute} onMinutes={setMinutes} />
      )}
      <Check label="End open calls at the limit" isOn={ends} onChange={setEnds} />
      <Check label="Count test runs, and start none at the limit" isOn={counts} onChange={setCounts} />
    </FormDialog>
  );
}

function Check({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}

const percentagesIn = (text: string) =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);

interface EstimateProps {
  perMinute: string;
  minutes: string;
  onPerMinute: (text: string) => void;
  onMinutes: (text: string) => void;
}

/** The amount reserved for each open call. */
function Estimate({ perMinute, minutes, onPerMinute, onMinutes }: EstimateProps) {
  return (
    <>
      <Field label="Cost per minute" hint="Reserved for open calls. Empty: what calls cost on average.">
        <input inputMode="decimal" value={perMinute} onChange={(event) => onPerMinute(event.target.value)} />
      </Field>
      <Field label="Minutes per call" hint="Empty: the maximum duration.">
        <input type="number" min={1} max={1440} value={minutes} onChange={(event) => onMinutes(event.target.value)} />
      </Field>
    </>
  );
}
