import { useState } from 'react';

/** An edit that this tab of the browser keeps until it is set to null. `read` returns null for what it cannot use. */
export function useKept<Edit>(place: string, read: (kept: Record<string, unknown>) => Edit | null) {
  const [edit, setEdit] = useState<Edit | null>(() => readKept(place, read));
  const put = (next: Edit | null) => {
    if (next) sessionStorage.setItem(place, JSON.stringify(next));
    else sessionStorage.removeItem(place);
    setEdit(next);
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
