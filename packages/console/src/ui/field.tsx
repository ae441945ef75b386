import { type ReactNode, useId } from 'react';
import { Problem } from './problem.tsx';

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  children: ReactNode;
}

/** A control below its label, which is also its name for screen readers. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  return (
    <div className="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control stands inside, as children. */}
      <label>
        <span className="label">{label}</span>
        {children}
      </label>
      {hint && !error && (
        <p className="hint" id={id}>
          {hint}
        </p>
      )}
      <Problem>{error}</Problem>
    </div>
  );
}
