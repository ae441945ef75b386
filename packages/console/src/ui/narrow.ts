import { useCallback, useSyncExternalStore } from 'react';

/** The width below which the style sheets use the phone layout. */
const NARROW = matchMedia('(max-width: 760px)');

/** The width from which a page has room for a panel at its side. */
const WIDE = matchMedia('(min-width: 1400px)');

/** Whether the window is as narrow as a phone. */
export const useIsNarrow = () => useMatches(NARROW);

/** Whether there is room for a panel at the side of a page. */
export const useIsWide = () => useMatches(WIDE);

function useMatches(query: MediaQueryList): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => query.matches);
}
