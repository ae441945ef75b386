import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { messageOf } from './failure.tsx';
import { Field } from './field.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  /** Text to be typed first, for what cannot be undone. */
  typed?: string;
  mutation: {
    mutate: (input: undefined, options: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
  };
  onDone?: () => void;
  onClose: () => void;
}

/** Asks before something is lost. */
export function Confirm({ title, text, action, typed, mutation, onDone, onClose }: Props) {
  const [entered, setEntered] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate(undefined, { onSuccess: () => (onDone ?? onClose)() });
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>{text}</p>
        {typed !== undefined && (
          <Field label={`Type “${typed}” to confirm`}>
            <input value={entered} onChange={(event) => setEntered(event.target.value)} autoComplete="off" />
          </Field>
        )}
        {mutation.error ? (
          <p className="problem" role="alert">
            {messageOf(mutation.error)}
          </p>
        ) : null}
        <div className="form-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            type="submit"
            isBusy={mutation.isPending}
            disabled={typed !== undefined && entered !== typed}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
