import { useState } from 'react';
import { useSuppressionActions } from '../../data/policies.ts';
import { useClosed } from '../../ui/closed.ts';
import { FileButton, FileMistakes } from '../../ui/file.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Suppresses the numbers of a CSV file, however many there are. */
export function SuppressFile({ onClose }: { onClose: () => void }) {
  const { addFile } = useSuppressionActions();
  const [text, setText] = useState('');
  const [taken, setTaken] = useState(0);
  const signal = useClosed();
  const choose = (next: string) => {
    setText(next);
    setTaken(0);
    addFile.reset();
  };
  return (
    <FormDialog
      title="Import suppressed numbers"
      action="Import"
      cancel={addFile.data ? 'Close' : 'Cancel'}
      isWide
      isBusy={addFile.isPending}
      isDisabled={!text.trim() || addFile.isSuccess}
      note={<Progress taken={taken} sum={addFile.data} isBusy={addFile.isPending} />}
      onSubmit={() => addFile.mutate({ text, onPart: setTaken, signal })}
      onClose={onClose}
    >
      <p className="muted">
        A CSV file with the column <code>phone_number</code> and, if wanted, <code>reason</code>, <code>scope</code>,{' '}
        <code>scope_id</code> and <code>expires_at</code>. A number that is suppressed already is replaced, so that a
        file may be imported again.
      </p>
      <FileButton
        accept=".csv,text/csv"
        text="CSV, with a heading."
        onFile={async (file) => choose(await file.text())}
      />
      {addFile.error && (
        <FileMistakes
          error={addFile.error}
          text={taken > 0 ? `${taken} entries before them were imported.` : 'Nothing was imported.'}
        />
      )}
    </FormDialog>
  );
}

interface ProgressProps {
  taken: number;
  sum: { added: number; changed: number } | undefined;
  isBusy: boolean;
}

function Progress({ taken, sum, isBusy }: ProgressProps) {
  if (sum) return <p role="status">{`${sum.added} added, ${sum.changed} replaced.`}</p>;
  return isBusy ? <p role="status">{`${taken} imported…`}</p> : null;
}
