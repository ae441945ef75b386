import { useEffect, useState } from 'react';
import type { Filter } from './call-filters.tsx';

interface Props {
  name: Extract<Filter, 'q' | 'number'>;
  label: string;
  search: URLSearchParams;
  set: (name: Filter, value: string) => void;
}

/** Somebody who types has paused for this long. */
const PAUSE_MS = 300;

/** A text to search for; the address has it once the typing pauses. */
export function SearchField({ name, label, search, set }: Props) {
  const inAddress = search.get(name) ?? '';
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing alone starts the pause again.
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
      // biome-ignore lint/a11y/noAutofocus: the key for searching led here.
      autoFocus={name === 'q' && search.has('focus')}
      data-search={name === 'q' || undefined}
    />
  );
}
