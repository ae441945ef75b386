import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: 'primary' | 'plain' | 'danger';
  icon?: IconName;
  isBusy?: boolean;
  children: ReactNode;
}

/** A button. While `isBusy`, it ignores clicks. */
export function Button({ kind = 'plain', icon, isBusy = false, children, disabled, ...rest }: Props) {
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
