import type { Campaign, RecipientsAdded } from '@switchboard/client';
import { useState } from 'react';
import { useAddRecipients } from '../../data/campaigns.ts';
import { type FileHead, guessField, readHead, withNames } from '../../data/recipient-file.ts';
import { useClosed } from '../../ui/closed.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Entries, FileButton } from '../../ui/file.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
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
      <FileButton
        accept=".csv,text/csv"
        text="CSV with commas, up to a million lines. Its first line names the columns."
        onFile={choose}
      />
      {problem && <p className="problem">{problem}</p>}
      {chosen && !add.data && (
        <ColumnMapping head={chosen.head} names={chosen.names} onChange={(names) => setChosen({ ...chosen, names })} />
      )}
      {chosen && numbers !== 1 && <p className="problem">Choose the one column that has the phone numbers.</p>}
      <Problem>{add.error && messageOf(add.error)}</Problem>
      {add.data && <Added result={add.data} />}
    </FormDialog>
  );
}

/** Lines that were taken, and those that were refused. */
function Added({ result }: { result: RecipientsAdded }) {
  const { added, known, consents_added, refused, refusals, stopped_at_line } = result;
  return (
    <div role="status" className="mistakes">
      <p>
        <strong>{`${added.toLocaleString()} added`}</strong>
        {consents_added > 0 && `, ${consents_added.toLocaleString()} with a consent`}
        {known > 0 && `, ${known.toLocaleString()} were there already`}
        {refused > 0 && `, ${refused.toLocaleString()} refused`}.
      </p>
      {/* Absent from the answer of an older replica. */}
      {typeof stopped_at_line === 'number' && (
        <p className="problem">{`The file was not read from line ${stopped_at_line} on.`}</p>
      )}
      {refusals.length > 0 && (
        <Entries
          label="Refused lines"
          entries={refusals.map(({ line, field, msg }) => [`Line ${line}`, field ? `${field}: ${msg}` : msg])}
          total={refused}
        />
      )}
    </div>
  );
}
