import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  label: string;
  /** Replaces the label on hover, and colors the button. */
  problem?: string | null;
}

/** A button without room for its label: it appears on hover, and is its name for screen readers. */
export function IconButton({ icon, label, problem, ...rest }: Props) {
  return (
    <button
      type="button"
      className={problem ? 'icon-button problem' : 'icon-button'}
      aria-label={problem ? `${label}: ${problem}` : label}
      title={problem ?? label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
