import type { Campaign, RecipientsAdded } from '@switchboard/client';
import { type ChangeEvent, useEffect, useState } from 'react';
import { useAddRecipients } from '../../data/campaigns.ts';
import { type FileHead, guessField, readHead, withNames } from '../../data/recipient-file.ts';
import { messageOf } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ColumnMapping } from './column-mapping.tsx';

interface Chosen {
  file: File;
  head: FileHead;
  /** Names that the columns get; '' leaves one out. */
  names: string[];
}

/** Adds the people of a CSV file, whose columns are told first. */
export function AddRecipients({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const add = useAddRecipients(campaign.id);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const signal = useClosed();
  const choose = async (file: File) => {
    add.reset();
    setChosen(null);
    try {
      const head = await readHead(file);
      setProblem(head ? null : 'The file has no columns: its first line should name them.');
      setChosen(head && { file, head, names: head.names.map(guessField) });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const numbers = chosen?.names.filter((name) => name === 'phone_number').length ?? 0;
  return (
    <FormDialog
      title="Add people"
      action="Add"
      cancel={add.data ? 'Close' : 'Cancel'}
      isWide
      isBusy={add.isPending}
      isDisabled={numbers !== 1 || add.isSuccess}
      note={add.isPending && <p role="status">Reading the file…</p>}
      onSubmit={() => chosen && add.mutate({ file: withNames(chosen.file, chosen.head, chosen.names), signal })}
      onClose={onClose}
    >
      <FileChoice name={chosen?.file.name ?? null} onChoose={choose} />
      {problem && <p className="problem">{problem}</p>}
      {chosen && !add.data && (
        <ColumnMapping head={chosen.head} names={chosen.names} onChange={(names) => setChosen({ ...chosen, names })} />
      )}
      {chosen && numbers !== 1 && <p className="problem">Choose the one column that has the phone numbers.</p>}
      {add.error && (
        <p className="problem" role="alert">
          {messageOf(add.error)}
        </p>
      )}
      {add.data && <Added result={add.data} />}
    </FormDialog>
  );
}

/** Aborts once the dialog is closed. Recipients that were added until then stay. */
function useClosed(): AbortSignal {
  const [closed] = useState(() => new AbortController());
  useEffect(() => () => closed.abort(), [closed]);
  return closed.signal;
}

function FileChoice({ name, onChoose }: { name: string | null; onChoose: (file: File) => void }) {
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file) onChoose(file);
    // The same file can be chosen again after it was changed.
    target.value = '';
  };
  return (
    <div className="file-row">
      <label className="button plain">
        <Icon name="up" />
        Choose a file
        <input type="file" accept=".csv,text/csv" onChange={choose} />
      </label>
      <span className="muted clip">
        {name ?? 'CSV with commas, up to a million lines. Its first line names the columns.'}
      </span>
    </div>
  );
}

/** Lines that were taken, and those that were refused. */
function Added({ result: { added, known, refused, refusals } }: { result: RecipientsAdded }) {
  const more = refused - refusals.length;
  return (
    <div role="status" className="mistakes">
      <p>
        <strong>{`${added.toLocaleString()} added`}</strong>
        {known > 0 && `, ${known.toLocaleString()} were there already`}
        {refused > 0 && `, ${refused.toLocaleString()} refused`}.
      </p>
      {refusals.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <ul tabIndex={0} aria-label="Refused lines">
          {refusals.map(({ line, field, msg }) => (
            <li key={`${line} ${field}`}>
              <span className="strong nowrap">{`Line ${line}`}</span>
              <span>{field ? `${field}: ${msg}` : msg}</span>
            </li>
          ))}
          {more > 0 && <li className="muted">{`And ${more.toLocaleString()} more.`}</li>}
        </ul>
      )}
    </div>
  );
}
