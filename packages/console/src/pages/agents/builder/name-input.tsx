import { useState } from 'react';
import { Problem } from '../../../ui/problem.tsx';

interface Props {
  label: string;
  name: string;
  maxLength?: number;
  /** Whether another one of the list has the name. */
  isTaken: (name: string) => boolean;
  onRename: (name: string) => void;
}

/** The name of one of a list, which tells it from the others. A name that is taken is shown as typed, and not set. */
export function NameInput({ label, name, maxLength, isTaken, onRename }: Props) {
  const [refused, setRefused] = useState<string | null>(null);
  const type = (typed: string) => {
    setRefused(isTaken(typed) ? typed : null);
    if (!isTaken(typed)) onRename(typed);
  };
  return (
    <span className="name-input">
      <input
        aria-label={label}
        aria-invalid={refused !== null}
        value={refused ?? name}
        maxLength={maxLength}
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setRefused(null)}
      />
      <Problem>{refused !== null && 'Already taken.'}</Problem>
    </span>
  );
}
