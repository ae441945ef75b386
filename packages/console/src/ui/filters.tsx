import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { useIsNarrow } from './narrow.ts';

export type SetSearch = (change: (before: URLSearchParams) => URLSearchParams) => void;

export interface FilterProps<Name extends string> {
  /** Name of the filter in the URL. */
  name: Name;
  label: string;
  search: URLSearchParams;
  set: (name: Name, value: string) => void;
}

/** Sets one filter in the URL; the empty value removes it. */
export function setterOf(setSearch: SetSearch) {
  return (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value) after.set(name, value);
      else after.delete(name);
      return after;
    });
}

interface BarProps {
  /** All filters of the bar. */
  names: readonly string[];
  /** The filter that is always shown. */
  first: ReactNode;
  children: ReactNode;
  search: URLSearchParams;
  setSearch: SetSearch;
}

/** Filters of a list: on a phone all but the first are shown on demand, above the rows that they would hide. */
export function FilterBar({ names, first, children, search, setSearch }: BarProps) {
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const given = names.filter((name) => search.has(name));
  const hidden = given.filter((name) => name !== names[0]).length;
  const clear = (before: URLSearchParams) => new URLSearchParams([...before].filter(([name]) => !names.includes(name)));
  return (
    <search className="filters">
      {first}
      {isNarrow && (
        <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {hidden > 0 ? `Filters, ${hidden} set` : 'Filters'}
        </Button>
      )}
      {(!isNarrow || isOpen) && children}
      {given.length > 0 && (
        <Button icon="close" onClick={() => setSearch(clear)}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface OptionProps<Name extends string> extends FilterProps<Name> {
  options: readonly (readonly [value: string, text: string])[];
}

/** One of several values; the label is the choice of all. */
export function OptionFilter<Name extends string>({ name, label, options, search, set }: OptionProps<Name>) {
  return (
    <select
      aria-label={label}
      value={search.get(name) ?? ''}
      onChange={(event) => set(name, event.target.value)}
      data-set={search.has(name) || undefined}
    >
      <option value="">{label}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The first or the last day of the list. */
export function DayFilter<Name extends string>({ name, label, search, set }: FilterProps<Name>) {
  return (
    <label className="inline-field">
      <span>{label}</span>
      <input type="date" value={search.get(name) ?? ''} onChange={(event) => set(name, event.target.value)} />
    </label>
  );
}
