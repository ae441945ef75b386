import type { PriceEntry } from '@switchboard/client';
import { type FormEvent, useState } from 'react';
import { usePriceActions } from '../../data/costs.ts';
import { utcDay } from '../../data/overview.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';

const EXAMPLE = () =>
  JSON.stringify(
    [{ provider: 'openai', event_type: 'llm_tokens', model: 'gpt-4o-mini', price: '0.0000006', valid_from: utcDay() }],
    null,
    2,
  );

/** Puts entries into the price book, from a list in JSON. */
export function PriceImport({ onClose }: { onClose: () => void }) {
  const { put } = usePriceActions();
  const [text, setText] = useState(EXAMPLE);
  const entries = readEntries(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entries) put.mutate(entries);
  };
  const problem = put.error ? messageOf(put.error) : entries ? null : 'This is no list of prices in JSON.';
  return (
    <Dialog title="Import prices" isOpen onClose={onClose} isWide>
      <form className="form" onSubmit={submit}>
        <Field
          label="Prices"
          error={problem}
          hint="A price replaces the one of the same provider, type, model, prefix, direction and date. Nothing is lost: replaced prices stay in the book."
        >
          <JsonEditor label="Prices" value={text} onChange={setText} isInvalid={!entries} />
        </Field>
        <div className="form-end">
          {put.data && (
            <p role="status">{`${put.data.added} added, ${put.data.replaced} replaced, ${put.data.unchanged} unchanged.`}</p>
          )}
          <Button onClick={onClose}>{put.data ? 'Close' : 'Cancel'}</Button>
          <Button kind="primary" type="submit" isBusy={put.isPending} disabled={!entries}>
            Import
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A list, or an object with `entries` as the API has it. Fields are the service’s to check. */
function readEntries(text: string): PriceEntry[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : (value as { entries?: unknown } | null)?.entries;
    return Array.isArray(list) ? (list as PriceEntry[]) : null;
  } catch {
    return null;
  }
}
