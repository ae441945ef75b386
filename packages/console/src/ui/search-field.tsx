import { useEffect, useState } from 'react';
import type { FilterProps } from './filters.tsx';

/** Pause in typing after which the search starts. */
const PAUSE_MS = 300;

/** A search text; the URL is updated once typing pauses. */
export function SearchField<Name extends string>({ name, label, search, set }: FilterProps<Name>) {
  const inAddress = search.get(name) ?? '';
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the pause.
  useEffect(() => {
    if (typed === inAddress) return;
    const timer = setTimeout(() => set(name, typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      className={`search ${name}`}
      placeholder={label}
      aria-label={label}
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
      // biome-ignore lint/a11y/noAutofocus: the search shortcut led here.
      autoFocus={name === 'q' && search.has('focus')}
      data-search={name === 'q' || undefined}
    />
  );
}
