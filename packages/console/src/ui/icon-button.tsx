import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  label: string;
  /** Takes the place of the label on hover, and colours the button. */
  problem?: string | null;
}

/** A button for where there is no room for its word: that is on hover, and its name for screen readers. */
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
