import { useSyncExternalStore } from 'react';

/** The width below which the style sheets use the phone layout. */
const NARROW = matchMedia('(max-width: 760px)');

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}
