import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { useMay } from './permission.ts';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger';
  icon?: IconName;
  isBusy?: boolean;
  /** The operation that it uses, by its `operationId`: without permission there is no button. */
  needs?: string;
  children: ReactNode;
}

/** A button. While `isBusy`, it ignores clicks. */
export function Button({ kind = 'plain', icon, isBusy = false, needs, children, disabled, ...rest }: Props) {
  if (!useMay(needs)) return null;
  return (
    <button
      type="button"
      className={`button ${kind}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
