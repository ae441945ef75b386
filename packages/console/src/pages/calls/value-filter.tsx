import { useState } from 'react';
import { readValueSearch, type ValueSearch, valueNames, writeValueSearch } from '../../data/analysis-search.ts';
import { findersOf } from '../../data/analysis-words.ts';
import { contentOf, useExtractors } from '../../data/extractors.ts';
import { Button } from '../../ui/button.tsx';
import type { SetSearch } from '../../ui/filters.tsx';
import { useMay } from '../../ui/permission.ts';
import { ValueDialog } from './value-dialog.tsx';

interface Props {
  search: URLSearchParams;
  setSearch: SetSearch;
}

/** Filters the calls by what extractors have found, sorts them by it, and shows it beside them. */
export function ValueFilter({ search, setSearch }: Props) {
  const extractors = useExtractors();
  const mayRead = useMay('listExtractors');
  const [isOpen, setOpen] = useState(false);
  const isSet = valueNames(search).length > 0;
  const known = extractors.data ?? [];
  if (!mayRead || (known.length === 0 && !isSet)) return null;
  const current = readValueSearch(search);
  const apply = (next: ValueSearch) => {
    setSearch((before) => writeValueSearch(before, next));
    setOpen(false);
  };
  return (
    <>
      <Button icon="analysis" data-set={isSet || undefined} onClick={() => setOpen(true)}>
        {summaryOf(current) || 'Analysis…'}
      </Button>
      {isOpen && (
        <ValueDialog
          finders={findersOf(known.map(contentOf))}
          current={current}
          onApply={apply}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The choice in a few words. */
function summaryOf({ filters, columns, sort }: ValueSearch): string {
  const [first, ...others] = filters;
  if (first) return `${first[0]}: ${first[1]}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  if (sort) return `By ${sort}`;
  return columns.length > 0 ? `Shows ${columns.length === 1 ? columns[0] : `${columns.length} answers`}` : '';
}
