import { SwitchboardError, type ValidationError } from '@switchboard/client';
import { type ChangeEvent, useState } from 'react';
import { utcDay } from '../../data/overview.ts';
import { isJson, usePriceActions } from '../../data/prices.ts';
import { messageOf } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
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
      <FileButton onText={change} />
      <JsonEditor label="Prices" value={text} onChange={change} isInvalid={!isReadable || put.isError} />
      {!isReadable && <p className="problem">This is no JSON.</p>}
      {put.error && <Mistakes error={put.error} />}
    </FormDialog>
  );
}

function FileButton({ onText }: { onText: (text: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (!file) return;
    setName(file.name);
    onText(await file.text());
    // The same file can be chosen again after it was changed.
    target.value = '';
  };
  return (
    <div className="file-row">
      <label className="button plain">
        <Icon name="up" />
        Choose a file
        <input type="file" accept=".csv,.json,text/csv,application/json" onChange={choose} />
      </label>
      <span className="muted clip">{name ?? 'CSV or JSON; or edit the example.'}</span>
    </div>
  );
}

/** All errors in the file, in the order of its lines. */
function Mistakes({ error }: { error: unknown }) {
  const problems = error instanceof SwitchboardError ? error.problems : [];
  if (problems.length === 0) {
    return (
      <p className="problem" role="alert">
        {messageOf(error)}
      </p>
    );
  }
  return (
    <div className="mistakes" role="alert">
      <p className="problem">
        {problems.length === 1 ? 'One mistake' : `${problems.length} mistakes`}. Nothing was imported.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <ul tabIndex={0} aria-label="Mistakes">
        {problems.map((problem) => (
          <li key={`${placeOf(problem)} ${problem.msg}`}>
            <span className="strong nowrap">{placeOf(problem)}</span>
            <span>{problem.msg}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function placeOf({ loc: [, list, index, ...field] }: ValidationError): string {
  if (index === undefined) return typeof list === 'number' ? `Character ${list}` : `${list ?? 'The file'}`;
  const place = list === 'line' ? `Line ${index}` : `Entry ${Number(index) + 1}`;
  return [place, ...field].join(', ');
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}
