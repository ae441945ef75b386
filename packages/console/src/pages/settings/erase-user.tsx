import { type FormEvent, useState } from 'react';
import { useEraseUser } from '../../data/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';

/** Erases a user after its id was typed twice. */
export function EraseUser() {
  const [id, setId] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const erase = useEraseUser(id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsking(true);
  };
  return (
    <div className="narrow">
      <form className="form" onSubmit={submit}>
        <p className="muted">
          Open calls end and numbers are released. Agents, transcripts, callbacks and everything else that belongs to
          the user is deleted. The ledger keeps its amounts, under a pseudonym.
        </p>
        <Field label="User">
          <input
            value={id}
            onChange={(event) => setId(event.target.value)}
            maxLength={255}
            required
            autoComplete="off"
          />
        </Field>
        {done && <p role="status">{`${done} is erased.`}</p>}
        <div className="actions">
          <Button kind="danger" type="submit" disabled={!id}>
            Erase the user
          </Button>
        </div>
      </form>
      {isAsking && (
        <Confirm
          title={`Erase ${id}?`}
          text="This cannot be undone."
          action="Erase"
          typed={id}
          mutation={erase}
          onDone={() => {
            setDone(id);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
