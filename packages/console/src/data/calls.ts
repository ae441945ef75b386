import type { SwitchboardError } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStream } from './live.tsx';
import { startRehearsal } from './rehearsal.ts';
import { useSession } from './session.tsx';

/** Filters of the history, as they stand in the address of its page. */
export type CallFilters = Partial<Record<'status' | 'call_direction' | 'agent_id' | 'from' | 'to', string>>;

const PAGE_SIZE = 50;

/** The history of calls, in pages. */
export function useCalls(filters: CallFilters) {
  const { api, user } = useSession();
  return useInfiniteQuery({
    queryKey: [user, 'calls', filters],
    queryFn: ({ pageParam, signal }) =>
      api.calls
        .list({ ...filters, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) } as Query, { signal })
        .then((page) => page),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}

type Query = NonNullable<Parameters<ReturnType<typeof useSession>['api']['calls']['list']>[0]>;

/** One call. While it is open, its events say when to read it again. */
export function useCall(id: string) {
  const { api, user } = useSession();
  return useQuery({ queryKey: [user, 'call', id], queryFn: ({ signal }) => api.calls.get(id, { signal }) });
}

/** Costs of a call, line by line. */
export function useCallCosts(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'call', id, 'costs'],
    queryFn: ({ signal }) => api.sessions.costs(id, { limit: 100 }, { signal }).then((page) => page),
  });
}

/** Callbacks about a call. */
export function useCallCallbacks(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'call', id, 'callbacks'],
    queryFn: ({ signal }) => api.callbacks.list({ call_id: id, limit: 100 }, { signal }).then(({ items }) => items),
  });
}

interface NewCall {
  agent: { id: string; config: Record<string, unknown> };
  phoneNumber: string;
  callbackUrl?: string;
  isSandbox: boolean;
}

/** Calls a phone. In the sandbox a simulated conversation follows. */
export function useStartCall() {
  const { api, user } = useSession();
  const stream = useStream();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ agent, phoneNumber, callbackUrl, isSandbox }: NewCall) => {
      const call = await api.calls.start({
        ...{ agent_id: agent.id, phone_number: phoneNumber },
        ...(callbackUrl && { callback_url: callbackUrl }),
      });
      if (isSandbox) startRehearsal({ stream, api, user, agent, call });
      return call;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [user] }),
  });
}

/** Actions on an open call, and redelivery of its callbacks. Each reads the call again. */
export function useCallActions(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: [user, 'call', id] });
  const end = useMutation<unknown, SwitchboardError>({ mutationFn: () => api.calls.end(id), onSettled });
  const transfer = useMutation<unknown, SwitchboardError, { phone_number: string; type: 'WARM' | 'COLD' }>({
    mutationFn: (target) => api.calls.transfer(id, target),
    onSettled,
  });
  const completeTransfer = useMutation<unknown, SwitchboardError>({
    mutationFn: () => api.calls.completeTransfer(id),
    onSettled,
  });
  const redeliver = useMutation<unknown, SwitchboardError, string>({
    mutationFn: (callback) => api.callbacks.redeliver(callback),
    onSettled,
  });
  return { end, transfer, completeTransfer, redeliver };
}
