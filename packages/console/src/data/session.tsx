import { createSwitchboard, type Switchboard } from '@switchboard/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import {
  type Entered,
  endSession,
  readSession,
  rememberUser,
  type Shown,
  type SignedIn,
  startUsers,
} from './signed-in.ts';

interface Session {
  /** The selected user; null: all users. */
  user: Shown;
  /** Users shown on this machine, most recent first. */
  known: Shown[];
  setUser(id: Shown): void;
  /** Null in open mode, and before the sign-in. */
  signedIn: SignedIn | null;
  /** The currency of all amounts, ISO 4217. */
  currency: string;
  /** Whether the sign-in state is known yet. */
  isKnown: boolean;
  /** Why the sign-in state could not be read; null otherwise. */
  problem: unknown;
  /** Reads the sign-in state again. */
  readAgain(): void;
  /** Whether a key is required, and there is none or it is no longer accepted. */
  needsKey: boolean;
  /** `user` is visible to a service key. */
  signIn(entered: Entered, user: Shown): void;
  /** Ends the session, or every one with the same key or of the same person. */
  signOut(options: { isEverywhere: boolean }): Promise<void>;
  /** The client for that user. */
  api: Switchboard;
  /** A client with the same key, but another `fetch`, another user, or another time limit for each request. */
  createApi(fetch?: (request: Request) => Promise<Response>, owner?: Shown, timeoutMs?: number): Switchboard;
}

const SessionContext = createContext<Session | null>(null);

/** Holds the selected user and the key. `?user=` in the URL, as in a shared link, has priority. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [known, setKnown] = useState(startUsers);
  const { state, enter, leave, requireKey, readAgain } = useSignInState();
  const { signedIn } = state;
  const [latest = null] = known;
  const user = signedIn?.user ?? latest;
  const setUser = useCallback(
    (id: Shown) => {
      // No data of the previous user may remain visible, not even for a moment.
      queries.clear();
      setKnown((before) => rememberUser(id, before));
    },
    [queries],
  );
  const signIn = useCallback(
    (entered: Entered, shown: Shown) => {
      setUser(entered.signedIn?.user ?? shown);
      enter(entered);
    },
    [setUser, enter],
  );
  const signOut = useCallback(
    async ({ isEverywhere }: { isEverywhere: boolean }) => {
      const isLeaving = await endSession(isEverywhere);
      queries.clear();
      if (!isLeaving) leave();
    },
    [queries, leave],
  );
  const createApi = useCreateApi(user, requireKey);
  const api = useMemo(() => createApi(), [createApi]);
  const session = useMemo(
    () => ({ ...state, readAgain, user, known, setUser, signIn, signOut, api, createApi }),
    [state, readAgain, user, known, setUser, signIn, signOut, api, createApi],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

type SignInState = Pick<Session, 'signedIn' | 'currency' | 'isKnown' | 'needsKey' | 'problem'>;

const UNKNOWN: SignInState = { signedIn: null, currency: 'USD', isKnown: false, needsKey: false, problem: null };

/** Whether this browser is signed in, which the service is asked until it has answered once. */
function useSignInState() {
  const [state, setState] = useState(UNKNOWN);
  const actions = useMemo(() => {
    const change = (part: Partial<SignInState>) => setState((before) => ({ ...before, ...part }));
    const enter = (entered: Entered) => change({ ...entered, isKnown: true, needsKey: false });
    const requireKey = () => change({ isKnown: true, needsKey: true });
    const leave = () => change({ signedIn: null, needsKey: true });
    const readAgain = () =>
      void readSession()
        .then((found) => (found ? enter(found) : requireKey()))
        .catch((problem: unknown) => change({ problem }));
    return { enter, requireKey, leave, readAgain };
  }, []);
  const { readAgain } = actions;
  useEffect(readAgain, [readAgain]);
  return { state, ...actions };
}

/** Clients for the user by default; `onRefused` is called for each answer 401. */
function useCreateApi(user: Shown, onRefused: () => void): Session['createApi'] {
  return useCallback(
    (send = (request: Request) => fetch(request), owner = user, timeoutMs?: number) =>
      createSwitchboard({
        baseUrl: location.origin,
        maxRetries: 1,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(owner !== null && { userId: owner }),
        fetch: async (request) => {
          const response = await send(request);
          if (response.status === 401) onRefused();
          return response;
        },
      }),
    [user, onRefused],
  );
}

/** The selected user, and the client that reads its data. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is no session around this component');
  return session;
}

/** The one user whose data is shown. Only for children of `OneUser`. */
export function useOneUser(): string {
  const { user } = useSession();
  if (user === null) throw new Error('this is about one user, and all are shown');
  return user;
}

/** Whether any user can be shown: not after signing in with a key that is bound to one. */
export function useShowsAnyUser(): boolean {
  return (useSession().signedIn?.user ?? null) === null;
}
