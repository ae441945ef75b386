import { useState } from 'react';
import { useRedeliver } from '../../data/deliveries.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

const HOUR_MS = 3_600_000;
const SINCE = {
  hour: { label: 'The last hour', ms: HOUR_MS },
  day: { label: 'The last 24 hours', ms: 24 * HOUR_MS },
  week: { label: 'The last 7 days', ms: 7 * 24 * HOUR_MS },
  month: { label: 'The last 30 days', ms: 30 * 24 * HOUR_MS },
};

/** Redelivers all callbacks that failed since a time. */
export function RedeliverDialog({ onClose }: { onClose: () => void }) {
  const redeliver = useRedeliver();
  const [since, setSince] = useState<keyof typeof SINCE>('day');
  const submit = () => {
    redeliver.mutate({ failed_since: new Date(Date.now() - SINCE[since].ms).toISOString() });
  };
  return (
    <FormDialog
      title="Redeliver failed callbacks"
      action="Redeliver"
      cancel="Close"
      isBusy={redeliver.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Every callback that has failed is sent again, with the same <code>webhook-id</code> and body. Receivers that
        answered 410 get events again.
      </p>
      <Field label="Created in" error={redeliver.error && messageOf(redeliver.error)}>
        <select value={since} onChange={(event) => setSince(event.target.value as keyof typeof SINCE)}>
          {Object.entries(SINCE).map(([id, { label }]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <p role="status" className="muted">
        {redeliver.data !== undefined && resultOf(redeliver.data)}
      </p>
    </FormDialog>
  );
}

const resultOf = (count: number) =>
  count === 0 ? 'None failed in this period.' : `${count} ${count === 1 ? 'callback is' : 'callbacks are'} sent again.`;
