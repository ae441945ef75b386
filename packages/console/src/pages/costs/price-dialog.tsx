import { useState } from 'react';
import type { Report } from '../../data/costs.ts';
import { utcDay } from '../../data/overview.ts';
import { usePriceActions } from '../../data/prices.ts';
import { useSession } from '../../data/session.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Props {
  kind: Report['unpriced']['kinds'][number];
  onClose: () => void;
}

/** Puts the price of one kind of usage into the book, and prices the usage with it. */
export function PriceDialog({ kind: { provider, model, event_type }, onClose }: Props) {
  const { put, apply } = usePriceActions();
  const { currency } = useSession();
  const [price, setPrice] = useState('');
  const [validFrom, setValidFrom] = useState(`${utcDay().slice(0, 8)}01`);
  const [isForAll, setForAll] = useState(false);
  const error = put.error ?? apply.error;
  const submit = () => {
    const entry = { provider, event_type, ...(model && !isForAll && { model }), price, valid_from: validFrom };
    put.mutate(JSON.stringify([entry]), { onSuccess: () => apply.mutate(undefined, { onSuccess: onClose }) });
  };
  return (
    <FormDialog
      title={`Price of ${provider}${model ? `, ${model}` : ''}`}
      action="Set and price the usage"
      isBusy={put.isPending || apply.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={`${currency} for one unit of ${event_type.replaceAll('_', ' ')}`}
        hint="A unit is a minute, a token, or a character, as the worker reports it."
        error={error && messageOf(error)}
      >
        <input inputMode="decimal" value={price} onChange={({ target }) => setPrice(target.value)} required />
      </Field>
      <Field label="Valid from" hint="Usage from this day on (UTC) gets the price.">
        <input type="date" value={validFrom} onChange={({ target }) => setValidFrom(target.value)} required />
      </Field>
      {model && (
        <label className="check">
          <input type="checkbox" checked={isForAll} onChange={({ target }) => setForAll(target.checked)} />
          For all models of {provider}
        </label>
      )}
    </FormDialog>
  );
}
