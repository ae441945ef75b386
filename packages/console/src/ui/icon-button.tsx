import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { useMay } from './permission.ts';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  label: string;
  /** Replaces the label on hover, and colors the button. */
  problem?: string | null;
  /** The operation that it uses, by its `operationId`: without permission there is no button. */
  needs?: string;
}

/** A button without room for its label: it appears on hover, and is its name for screen readers. */
export function IconButton({ icon, label, problem, needs, ...rest }: Props) {
  if (!useMay(needs)) return null;
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
