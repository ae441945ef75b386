import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';

interface Props {
  title: string;
  /** The word on the button that submits. */
  action: string;
  icon?: IconName;
  kind?: 'primary' | 'danger';
  /** The word on the other button. */
  cancel?: string;
  isWide?: boolean;
  isBusy: boolean;
  isDisabled?: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** Stands beside the buttons. */
  note?: ReactNode;
  children: ReactNode;
}

/** A dialog with a form: its fields, then the button that closes it and the one that submits. */
export function FormDialog({ title, isWide = false, onClose, onSubmit, children, ...end }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose} isWide={isWide}>
      <form className="form" onSubmit={submit}>
        {children}
        <FormEnd {...end} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type EndProps = Omit<Props, 'title' | 'isWide' | 'onSubmit' | 'children'>;

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
