import { useState } from 'react';
import { messageOf } from './failure.tsx';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  /** Text to be typed first, for actions that cannot be undone. */
  typed?: string;
  mutation: {
    mutate: (input: undefined, options: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: unknown;
  };
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for confirmation before data is lost. */
export function Confirm({ title, text, action, typed, mutation, onDone, onClose }: Props) {
  const [entered, setEntered] = useState('');
  const submit = () => mutation.mutate(undefined, { onSuccess: () => (onDone ?? onClose)() });
  const isUntyped = typed !== undefined && entered !== typed;
  return (
    <FormDialog
      title={title}
      action={action}
      onClose={onClose}
      kind="danger"
      isBusy={mutation.isPending}
      isDisabled={isUntyped}
      onSubmit={submit}
    >
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
    </FormDialog>
  );
}
