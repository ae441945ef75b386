import { useEffect, useState } from 'react';

/** Aborts once the component is closed, so that what it has begun ends with it. */
export function useClosed(): AbortSignal {
  const [closed] = useState(() => new AbortController());
  useEffect(() => () => closed.abort(), [closed]);
  return closed.signal;
}
