import { useSearchParams } from 'wouter';
import { setterOf } from '../../ui/filters.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { plainNumber } from './plain-number.ts';

const NUMBER = /^\+[1-9]\d{6,14}$/;

/** The number that is searched for; '' until a whole one is typed. */
export function useNumberSearch() {
  const [search, setSearch] = useSearchParams();
  // As people write them: with spaces, hyphens and brackets.
  const typed = plainNumber(search.get('number') ?? '');
  const number = NUMBER.test(typed) ? typed : '';
  return { number, isPartial: typed !== '' && number === '', search, set: setterOf(setSearch) };
}

/** A search for one number, in full and with its country. */
export function NumberSearch({ isPartial, search, set }: Omit<ReturnType<typeof useNumberSearch>, 'number'>) {
  return (
    <>
      <SearchField name="number" label="Number, +1 500 …" search={search} set={set} />
      {isPartial && <span className="muted small">The whole number, beginning with + and its country.</span>}
    </>
  );
}
