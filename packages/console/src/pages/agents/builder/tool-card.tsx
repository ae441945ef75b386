import type { ReactNode } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useField } from './form.ts';

interface Props {
  path: Path;
  /** Stands in for its name while it has none. */
  unnamed: string;
  children: ReactNode;
}

/** Something in a list that has a name, and can be removed. */
export function ToolCard({ path, unnamed, children }: Props) {
  const { value, change } = useField(path);
  const name = nameOf(value) || unnamed;
  return (
    <fieldset className="tool-card" aria-label={name}>
      <div className="tool-head">
        <strong className="anywhere">{name}</strong>
        <IconButton icon="trash" label={`Remove ${name}`} onClick={() => change(undefined)} />
      </div>
      {children}
    </fieldset>
  );
}

export const nameOf = (value: unknown) => String((value as { name?: unknown } | null)?.name ?? '');
