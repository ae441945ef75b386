import type { FormEvent, ReactNode } from 'react';
import type { Ask } from '../data/api-call.ts';
import { ApiCall } from './api-call.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';

interface Props {
  title: string;
  /** Label of the submit button. */
  action: string;
  icon?: IconName;
  kind?: 'primary' | 'danger';
  /** Label of the other button. */
  cancel?: string;
  isWide?: boolean;
  isBusy: boolean;
  isDisabled?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** Shown next to the buttons. */
  note?: ReactNode;
  /** The call that submitting makes, shown on demand. */
  ask?: Ask;
  children: ReactNode;
}

/** A dialog with a form: its fields, then the close and submit buttons. */
export function FormDialog({ title, isWide = false, onClose, onSubmit, ask, children, ...end }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose} isWide={isWide}>
      <form className="form" onSubmit={submit}>
        {children}
        {ask && <ApiCall ask={ask} />}
        <FormEnd {...end} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type EndProps = Omit<Props, 'title' | 'isWide' | 'onSubmit' | 'ask' | 'children'>;

function FormEnd({
  action,
  icon,
  kind = 'primary',
  cancel = 'Cancel',
  isBusy,
  isDisabled = false,
  onClose,
  note,
}: EndProps) {
  return (
    <div className="form-end">
      {note}
      <Button onClick={onClose}>{cancel}</Button>
      <Button kind={kind} type="submit" isBusy={isBusy} disabled={isDisabled} {...(icon && { icon })}>
        {action}
      </Button>
    </div>
  );
}
