import { useState } from 'react';
import type { Ask } from '../data/api-call.ts';
import { messageOf } from './failure.tsx';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Problem } from './problem.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  kind?: 'primary' | 'danger';
  /** Label of the other button. */
  cancel?: string;
  /** Text to be typed first, for actions that cannot be undone. */
  typed?: string;
  mutation: {
    // A method, so that mutations without an input fit, too.
    mutate(input: undefined, options: { onSuccess: () => void }): void;
    isPending: boolean;
    error: unknown;
  };
  /** The call that confirming makes, shown on demand. */
  ask?: Ask;
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for confirmation before data is lost, or money is spent. */
export function Confirm({ title, text, action, kind = 'danger', typed, mutation, onDone, onClose, ...more }: Props) {
  const [entered, setEntered] = useState('');
  // The mutation may still have the error of an earlier dialog.
  const [isSubmitted, setSubmitted] = useState(false);
  const submit = () => {
    setSubmitted(true);
    mutation.mutate(undefined, { onSuccess: () => (onDone ?? onClose)() });
  };
  const isUntyped = typed !== undefined && entered !== typed;
  return (
    <FormDialog
      title={title}
      action={action}
      onClose={onClose}
      kind={kind}
      {...more}
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
      <Problem>{isSubmitted && mutation.error ? messageOf(mutation.error) : null}</Problem>
    </FormDialog>
  );
}

interface LossProps extends Pick<Props, 'title' | 'text' | 'action' | 'onClose'> {
  onConfirm: () => void;
}

/** Asks before something that is not saved is lost: nothing is asked of the service. */
export function ConfirmLoss({ onConfirm, onClose, ...asked }: LossProps) {
  const mutate: Props['mutation']['mutate'] = (_, { onSuccess }) => {
    onConfirm();
    onSuccess();
  };
  return (
    <Confirm {...asked} cancel="Keep them" mutation={{ mutate, isPending: false, error: null }} onClose={onClose} />
  );
}
