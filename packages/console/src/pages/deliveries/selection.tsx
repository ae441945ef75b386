import type { Callback } from '@switchboard/client';
import { useState } from 'react';
import type { Column } from '../../ui/table.tsx';

/** The selected rows among those shown. */
export interface Selection {
  ids: string[];
  isAll: boolean;
  toggle(id: string): void;
  toggleAll(): void;
  clear(): void;
}

/** Tracks which of these rows are selected; rows that are no longer shown are deselected. */
export function useSelection(shown: string[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const ids = shown.filter((id) => selected.has(id));
  const isAll = ids.length > 0 && ids.length === shown.length;
  return {
    ids,
    isAll,
    toggle: (id) => setSelected(new Set(selected.has(id) ? ids.filter((one) => one !== id) : [...ids, id])),
    toggleAll: () => setSelected(new Set(isAll ? [] : shown)),
    clear: () => setSelected(new Set()),
  };
}

/** A column of checkboxes to select callbacks. */
export function selectionColumn(selection: Selection): Column<Callback> {
  return {
    title: 'Select',
    head: (
      <input type="checkbox" aria-label="Select all" checked={selection.isAll} onChange={() => selection.toggleAll()} />
    ),
    cell: ({ id, type, created_at }) => (
      <input
        type="checkbox"
        aria-label={`Select ${type} of ${created_at}`}
        checked={selection.ids.includes(id)}
        onChange={() => selection.toggle(id)}
      />
    ),
  };
}
