import type { CallSummary, UserEvent } from '@switchboard/client';
import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Connection } from './connection.ts';
import { changedBy, createKeySet, keys } from './keys.ts';
import { createLiveCalls, type LiveCall, type LiveCalls, type LiveSnapshot } from './live-calls.ts';
import { useSession } from './session.tsx';
import { GAP, openStream, type Stream } from './stream.ts';

interface Live {
  stream: Stream;
  calls: LiveCalls;
  reload(): void;
}

const LiveContext = createContext<Live | null>(null);
/** Interval at which lists of many calls are refreshed at most: a thousand changes cause one refresh. */
const LIST_MS = 1_000;

/** Follows the user's calls on every page, and refreshes the queries that depend on them. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { api, user, createApi } = useSession();
  const queries = useQueryClient();
  const [live, setLive] = useState<Live | null>(null);
  useEffect(() => {
    const opened = openLive({ api, user, createApi, queries });
    setLive(opened);
    return opened.close;
  }, [api, user, createApi, queries]);
  return live && <LiveContext value={live}>{children}</LiveContext>;
}

interface Deps extends Pick<ReturnType<typeof useSession>, 'api' | 'user' | 'createApi'> {
  queries: QueryClient;
}

function openLive({ api, user, createApi, queries }: Deps): Live & { close: () => void } {
  const stop = new AbortController();
  const stream = openStream(createApi);
  const calls = createLiveCalls();
  const lists = () => queries.getQueriesData<{ pages?: { items: CallSummary[] }[] }>({ queryKey: keys.lists(user) });
  const isListed = (id: string) =>
    !calls.snapshot().calls.has(id) &&
    lists().some(([, data]) => data?.pages?.some(({ items }) => items.some(({ call_id }) => call_id === id)));
  const refresh = refreshLists(queries, (event) => changedBy(user, event, isListed), stop.signal);
  const load = () => void (stop.signal.aborted || calls.load(api, stop.signal));
  stream.subscribe((events) => {
    calls.apply(events);
    refresh(events);
    if (events.some(({ event }) => event === 'reset')) load();
  });
  stream.onReturn(() => {
    if (calls.snapshot().error) load();
    // Events without a gap repair what was read; what could not be read has nothing that they could change.
    void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  });
  void stream.begun.then(() => {
    load();
    // The pages did not wait for the stream, so their data may be older.
    refresh([GAP]);
  });
  const close = () => {
    stop.abort();
    stream.close();
  };
  return { stream, calls, reload: load, close };
}

/** Maximum pages of a list that is refreshed on changes; a longer list would be refreshed constantly. */
const MAX_PAGES_REREAD = 3;

export const isLong = (data: unknown) =>
  ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > MAX_PAGES_REREAD;

/** Refreshes changed data, at most once a second. */
function refreshLists(queries: QueryClient, keysOf: (event: UserEvent) => QueryKey[], stopped: AbortSignal) {
  let changed = createKeySet();
  let isWaiting = false;
  const run = () => {
    isWaiting = false;
    if (stopped.aborted) return;
    const { covers } = changed;
    changed = createKeySet();
    const isChanged = ({ queryKey, state }: Query) => !isLong(state.data) && covers(queryKey);
    // A refresh would drop the page that a list is loading, and begin what takes longer than a second again and again.
    const loading = queries.getQueryCache().findAll({ fetchStatus: 'fetching', predicate: isChanged });
    // One pass over the visible calls, however many have changed.
    void queries.invalidateQueries({ predicate: (query) => isChanged(query) && !loading.includes(query) });
    for (const { queryKey } of loading) changed.add(queryKey);
    schedule();
  };
  const schedule = () => {
    if (changed.isEmpty() || isWaiting) return;
    isWaiting = true;
    setTimeout(run, LIST_MS);
  };
  return (events: UserEvent[]) => {
    for (const event of events) for (const key of keysOf(event)) changed.add(key);
    schedule();
  };
}

function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('there is no stream around this component');
  return live;
}

/** The stream of the user's events. */
export function useStream(): Stream {
  return useLive().stream;
}

/** Reads the open calls again. */
export function useReloadLiveCalls(): () => void {
  return useLive().reload;
}

/** The calls that are open. */
export function useLiveCalls(): LiveSnapshot {
  const { calls } = useLive();
  return useSyncExternalStore(calls.subscribe, calls.snapshot);
}

/** One open call; undefined once it has ended. */
export function useLiveCall(id: string): LiveCall | undefined {
  const { calls } = useLive();
  return useSyncExternalStore(calls.subscribe, () => calls.snapshot().calls.get(id));
}

/** Whether events arrive. */
export function useConnection(): Connection {
  const { stream } = useLive();
  return useSyncExternalStore(stream.onConnection, stream.connection);
}
