import { useRef, useState } from 'react';

/** Puts an edit into a place, or takes away what is there (null). A place that is shown does not notice. */
export function keep(place: string, edit: object | null): void {
  if (edit) sessionStorage.setItem(place, JSON.stringify(edit));
  else sessionStorage.removeItem(place);
}

/**
 * An edit that this tab of the browser keeps until it is set to null, as it is now or by a function of what it is by
 * then. `read` returns null for what it cannot use.
 */
export function useKept<Edit extends object>(place: string, read: (kept: Record<string, unknown>) => Edit | null) {
  const [edit, setEdit] = useState<Edit | null>(() => readKept(place, read));
  const newest = useRef(edit);
  const put = (next: Edit | null | ((now: Edit | null) => Edit | null)) => {
    newest.current = typeof next === 'function' ? next(newest.current) : next;
    keep(place, newest.current);
    setEdit(newest.current);
  };
  return [edit, put] as const;
}

function readKept<Edit>(place: string, read: (kept: Record<string, unknown>) => Edit | null): Edit | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? 'null');
    return typeof kept === 'object' && kept !== null ? read(kept as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
