import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { Router, useLocation } from 'wouter';
import { ListenProvider } from '../data/listen.tsx';
import { LiveProvider } from '../data/live.tsx';
import { SessionProvider, useSession } from '../data/session.tsx';
import { TalkProvider } from '../data/talk.tsx';
import { CurrencyContext } from '../ui/money.tsx';
import { PermissionContext } from '../ui/permission.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Routes } from './routes.tsx';
import { Shell } from './shell.tsx';
import { SignedInOnly } from './sign-in.tsx';

/**
 * No retries: the client already retries safe requests, and a second layer would only add delay. While the browser is
 * offline requests fail at once: held back, they would call phones minutes after whoever asked has given up. And the
 * service may run on this machine.
 */
const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });

/** The console. */
export function App() {
  const [queries] = useState(createQueries);
  return (
    <QueryClientProvider client={queries}>
      <Router base="/console">
        <SessionProvider>
          <SignedInOnly>
            <Shared>
              <LiveProvider>
                <TalkProvider>
                  <ListenProvider>
                    <Shell>
                      <Pages />
                    </Shell>
                  </ListenProvider>
                </TalkProvider>
              </LiveProvider>
            </Shared>
          </SignedInOnly>
        </SessionProvider>
      </Router>
    </QueryClientProvider>
  );
}

/** Pages begin anew for another user: nothing that they remember of the former one is shown under the new name. */
function Pages() {
  const [at] = useLocation();
  const { user } = useSession();
  return (
    <ErrorBoundary key={JSON.stringify(user)} at={at}>
      <Routes />
    </ErrorBoundary>
  );
}

/** Facts about the service and the caller that components need. */
function Shared({ children }: { children: ReactNode }) {
  const { currency, signedIn } = useSession();
  // In open mode there are no permissions.
  const may = useCallback((operation: string) => signedIn?.operations.has(operation) ?? true, [signedIn]);
  return (
    <CurrencyContext value={currency}>
      <PermissionContext value={may}>{children}</PermissionContext>
    </CurrencyContext>
  );
}
