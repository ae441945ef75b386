import {
  type CallDetail,
  type CallJob,
  type CallSummary,
  type OutboundCall,
  type Switchboard,
  SwitchboardError,
  type TransferRequest,
  type Turn,
} from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { isLong } from './live.tsx';
import { saveFile } from './save-file.ts';
import { useSession } from './session.tsx';

/** Filters of the history, as the API has them. */
export type CallFilters = Omit<NonNullable<Parameters<Switchboard['calls']['export']>[0]>, 'limit' | 'cursor'>;

const PAGE_SIZE = 100;
/** A page of filtered calls may be short: pages are read until this many calls are loaded. */
const ENOUGH = 20;
const MAX_PAGES_AT_ONCE = 10;

/** The history of calls, in pages; on request with the values of their analyses. */
export function useCalls(filters: CallFilters, withValues = false) {
  const { api, user } = useSession();
  return useInfiniteQuery({
    queryKey: keys.list(user, listOf(filters, withValues)),
    queryFn: async ({ pageParam, signal }) => {
      const include = withValues ? 'total_cost,analysis' : 'total_cost';
      const items: CallSummary[] = [];
      let next_cursor: string | null = pageParam;
      for (let page = 0; page < MAX_PAGES_AT_ONCE && next_cursor !== null && items.length < ENOUGH; page++) {
        const cursor: string = next_cursor;
        const query = { ...filters, limit: PAGE_SIZE, include, ...(cursor && { cursor }) };
        const answer = await api.calls.list(query, { signal });
        items.push(...answer.items);
        next_cursor = answer.next_cursor;
      }
      return { items, next_cursor };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchOnWindowFocus: (query) => !isLong(query.state.data),
    refetchOnMount: (query) => !isLong(query.state.data),
  });
}

const listOf = (filters: CallFilters, withValues: boolean) => ({ ...filters, ...(withValues && { withValues }) });

/** Clears a history and starts with its newest calls. */
export function useRestartCalls(filters: CallFilters, withValues = false) {
  const { user } = useSession();
  const queries = useQueryClient();
  return () => queries.resetQueries({ queryKey: keys.list(user, listOf(filters, withValues)), exact: true });
}

/** Downloads all calls that match the filters. */
export function useCallDownload(filters: CallFilters) {
  const { api } = useSession();
  return useMutation({
    mutationFn: async () => {
      const text = await api.calls.export(filters, { timeoutMs: EXPORT_MS });
      saveFile(new Blob([text], { type: 'text/csv' }), `calls ${new Date().toISOString().slice(0, 10)}.csv`);
    },
  });
}

const EXPORT_MS = 600_000;

/** One call. While it is open, its events trigger reading it again. */
export function useCall(id: string) {
  const { api, user } = useSession();
  return useQuery({ queryKey: keys.call(user, id), queryFn: ({ signal }) => api.calls.get(id, { signal }) });
}

/** The sums of all costs of a call: in total, and by kind of usage. */
export function useCallSums(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callTotal(user, id),
    queryFn: async ({ signal }) => {
      const { total_cost, by_event_type } = await api.sessions.costs(id, { limit: 1 }, { signal });
      return { total_cost, by_event_type };
    },
  });
}

/** Costs of a call, line by line, in pages. They come from the ledger, which shows unpriced events. */
export function useCallCosts({ call_id, user_id }: Pick<CallDetail, 'call_id' | 'user_id'>) {
  const { createApi, user } = useSession();
  return useInfiniteQuery({
    queryKey: keys.callCostLines(user, call_id),
    queryFn: ({ pageParam, signal }) => {
      const query = { session_id: call_id, limit: 100, ...(pageParam && { cursor: pageParam }) };
      // The sum only contains events of its user.
      return createApi(undefined, user_id)
        .usage.list(query, { signal })
        .then((page) => page);
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}

const MAX_TURNS = 500;

/** The first 500 turns of a call, with their latency. */
export function useCallTurns(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callTurns(user, id),
    queryFn: async ({ signal }) => {
      const turns: Turn[] = [];
      for await (const turn of api.sessions.turns(id, { limit: 100 }, { signal })) {
        if (turns.push(turn) === MAX_TURNS) break;
      }
      return turns;
    },
  });
}

/** The job of a call's worker; null if its agent is deleted. Read only when it is shown. */
export function useCallJob(id: string, isShown: boolean) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callJob(user, id),
    queryFn: async ({ signal }): Promise<CallJob | null> => {
      try {
        return await api.calls.job(id, { signal });
      } catch (error) {
        if (error instanceof SwitchboardError && error.status === 404) return null;
        throw error;
      }
    },
    enabled: isShown,
  });
}

/** Callbacks about a call. */
export function useCallCallbacks(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.callCallbacks(user, id),
    queryFn: ({ signal }) => api.callbacks.list({ call_id: id, limit: 100 }, { signal }).then(({ items }) => items),
  });
}

/** Variables of a call as typed; those left empty are not set. */
export const toVariables = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Calls a phone. */
export function useStartCall() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (call: OutboundCall) => api.calls.start(call),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.all(user) }),
  });
}

/** Hangs up. */
export function useEndCall(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.call(user, id) });
  return useMutation<unknown, SwitchboardError>({ mutationFn: () => api.calls.end(id), onSettled });
}

/** Actions on an open call, and redelivery of its callbacks. Each reads the call again. */
export function useCallActions(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.call(user, id) });
  const end = useEndCall(id);
  const transfer = useMutation<unknown, SwitchboardError, TransferRequest>({
    mutationFn: (target) => api.calls.transfer(id, target),
    onSettled,
  });
  const completeTransfer = useMutation<unknown, SwitchboardError, 'connect' | 'return'>({
    mutationFn: (outcome) => api.calls.completeTransfer(id, { outcome }),
    onSettled,
  });
  const redeliver = useMutation<unknown, SwitchboardError, string>({
    mutationFn: (callback) => api.callbacks.redeliver(callback),
    onSettled,
  });
  return { end, transfer, completeTransfer, redeliver };
}

/** Has the agent of a call say a text at once, follow an instruction from now on, or press keys one after another. */
export function useStepIn(id: string) {
  const { api } = useSession();
  const say = useMutation<unknown, SwitchboardError, string>({
    mutationFn: (text) => api.calls.say(id, { text, interrupt: true }),
  });
  const instruct = useMutation<unknown, SwitchboardError, string>({
    mutationFn: (text) => api.calls.instruct(id, { text }),
  });
  const press = useMutation<unknown, SwitchboardError, string>({
    scope: { id: `keys of ${id}` },
    mutationFn: (digits) => api.calls.press(id, { digits }),
  });
  return { say, instruct, press };
}
