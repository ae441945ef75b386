import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';
import { ListenProvider } from '../data/listen.tsx';
import { LiveProvider } from '../data/live.tsx';
import { SessionProvider } from '../data/session.tsx';
import { TalkProvider } from '../data/talk.tsx';
import { Routes } from './routes.tsx';
import { Shell } from './shell.tsx';
import { SignedInOnly } from './sign-in.tsx';

/** The client repeats what is safe to repeat; a second layer would only delay what it could not repair. */
const createQueries = () =>
  new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
  });

/** The console. */
export function App() {
  const [queries] = useState(createQueries);
  return (
    <QueryClientProvider client={queries}>
      <Router base="/console">
        <SessionProvider>
          <SignedInOnly>
            <LiveProvider>
              <TalkProvider>
                <ListenProvider>
                  <Shell>
                    <Routes />
                  </Shell>
                </ListenProvider>
              </TalkProvider>
            </LiveProvider>
          </SignedInOnly>
        </SessionProvider>
      </Router>
    </QueryClientProvider>
  );
}
