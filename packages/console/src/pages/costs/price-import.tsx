import { useState } from 'react';
import { utcDay } from '../../data/overview.ts';
import { isJson, usePriceActions } from '../../data/prices.ts';
import { FileButton, FileMistakes } from '../../ui/file.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';

const EXAMPLE = () => `provider,event_type,model,prefix,direction,price,billing_increment,valid_from
openai,llm_tokens,gpt-4o-mini,,,0.0000006,,${utcDay()}
twilio,telephony_minutes,,1,OUTBOUND,0.0085,60/60,${utcDay()}`;

/** Imports the prices of a file: CSV, or JSON in the API's format. All of its errors are listed. */
export function PriceImport({ onClose }: { onClose: () => void }) {
  const { put } = usePriceActions();
  const [text, setText] = useState(EXAMPLE);
  const isReadable = !isJson(text) || isParsed(text);
  const change = (next: string) => {
    setText(next);
    put.reset();
  };
  const submit = () => {
    put.mutate(text);
  };
  return (
    <FormDialog
      title="Import prices"
      isWide
      action="Import"
      cancel={put.data ? 'Close' : 'Cancel'}
      isBusy={put.isPending}
      isDisabled={!isReadable || !text.trim()}
      note={
        put.data && (
          <p role="status">{`${put.data.added} added, ${put.data.replaced} replaced, ${put.data.unchanged} unchanged.`}</p>
        )
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">
        A price replaces the one of the same provider, type, model, prefix, direction and date. Nothing is lost:
        replaced prices stay in the history of the book.
      </p>
      <FileButton
        accept=".csv,.json,text/csv,application/json"
        text="CSV or JSON; or edit the example."
        onFile={async (file) => change(await file.text())}
      />
      <JsonEditor label="Prices" value={text} onChange={change} isInvalid={!isReadable || put.isError} />
      {!isReadable && <p className="problem">This is no JSON.</p>}
      {put.error && <FileMistakes error={put.error} text="Nothing was imported." />}
    </FormDialog>
  );
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
