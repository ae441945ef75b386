import { createSwitchboard, type Switchboard } from '@switchboard/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

const KEY = 'switchboard.users';
/** The user of the first visit: any name is a user. */
const FIRST = 'me';
const REMEMBERED = 8;

interface Session {
  /** The user whose data is shown. */
  user: string;
  /** Users shown on this machine, the latest first. */
  known: string[];
  setUser(id: string): void;
  /** The client for that user. */
  api: Switchboard;
}

const SessionContext = createContext<Session | null>(null);

/** Knows whose data is shown. `?user=` in the address, as in a link that was shared, goes first. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [known, setKnown] = useState(initial);
  const user = known[0] ?? FIRST;
  const setUser = useCallback(
    (id: string) => {
      // Nothing of the former user stays, not even for a moment.
      queries.clear();
      setKnown((before) => remember(id, before));
    },
    [queries],
  );
  const api = useMemo(() => createSwitchboard({ baseUrl: location.origin, userId: user, maxRetries: 1 }), [user]);
  const session = useMemo(() => ({ user, known, setUser, api }), [user, known, setUser, api]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The user whose data is shown, and the client that reads it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session around this component');
  return session;
}

function initial(): string[] {
  const named = new URLSearchParams(location.search).get('user');
  const known = stored();
  return named ? remember(named, known) : known.length > 0 ? known : [FIRST];
}

function remember(id: string, before: string[]): string[] {
  const known = [id, ...before.filter((other) => other !== id)].slice(0, REMEMBERED);
  localStorage.setItem(KEY, JSON.stringify(known));
  return known;
}

function stored(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
