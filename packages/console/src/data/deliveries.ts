import type { CallbackStatus, WebhookEndpointCreate, WebhookEndpointUpdate } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { useSession } from './session.tsx';

/** `failing`: given up, or attempted in vain and retried. */
export interface CallbackFilters {
  status: CallbackStatus | 'failing' | null;
  endpoint: string | null;
}

/** Callbacks of all calls, newest first, in pages. */
export function useCallbacks({ status, endpoint }: CallbackFilters) {
  const { api, user } = useSession();
  return useInfiniteQuery(
    inPages(keys.callbackList(user, { status, endpoint }), (at, options) =>
      api.callbacks.list(
        {
          limit: 50,
          ...(status === 'failing' ? { is_failing: true } : status && { status }),
          ...(endpoint && { endpoint_id: endpoint }),
          ...at,
        },
        options,
      ),
    ),
  );
}

/** Callbacks to redeliver: these, or all that failed since a time. */
export type Again = { ids: string[] } | { failed_since: string };

/** Redelivers callbacks, and returns how many. */
export function useRedeliver() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (again: Again) => {
      let count = 0;
      for (;;) {
        const { redelivered, has_more } = await api.callbacks.redeliverMany(again);
        count += redelivered;
        if (!has_more) return count;
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.callbacks(user) }),
  });
}

/** Polling interval for the response to a test event, in milliseconds. */
const LOOK_MS = 500;

/** Sends a test event to an endpoint, and polls the callbacks until the receiver has responded. */
export function useTestEvent() {
  const { api, user } = useSession();
  const send = useMutation({ mutationFn: (endpoint_id: string) => api.webhookEndpoints.sendTest(endpoint_id) });
  const id = send.data?.id;
  const found = useQuery({
    queryKey: keys.testEvent(user, id),
    queryFn: ({ signal }) =>
      api.callbacks
        .list({ limit: 100 }, { signal })
        .then(({ items }) => items.find((callback) => callback.id === id) ?? null),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.attempts.length ? false : LOOK_MS),
  });
  return { send, callback: found.data ?? send.data ?? null, error: send.error ?? found.error };
}

/** Newest callbacks among which the last attempt of an endpoint is looked for. */
const LATEST = 20;

/** The last attempt to deliver to an endpoint, with its callback; null before the first one. */
export function useLastAttempt(endpoint_id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.endpointDeliveries(user, endpoint_id),
    queryFn: async ({ signal }) => {
      const { items } = await api.callbacks.list({ endpoint_id, limit: LATEST }, { signal });
      const tried = items.flatMap((callback) => callback.attempts.map((attempt) => ({ ...attempt, callback })));
      return tried.sort((a, b) => (a.attempted_at < b.attempted_at ? -1 : 1)).at(-1) ?? null;
    },
  });
}

/** Webhook endpoints of one user: URLs that get the events of all calls. */
export function useEndpoints() {
  const { api, user } = useSession();
  return useQuery({
    enabled: user !== null,
    queryKey: keys.endpoints(user),
    queryFn: ({ signal }) => api.webhookEndpoints.list({ limit: 100 }, { signal }).then(({ items }) => items),
  });
}

/** Creates, changes and deletes webhook endpoints. */
export function useEndpointActions() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.endpoints(user) });
  const create = useMutation({
    mutationFn: (endpoint: WebhookEndpointCreate) => api.webhookEndpoints.create(endpoint),
    onSettled,
  });
  const update = useMutation({
    mutationFn: ({ id, ...change }: WebhookEndpointUpdate & { id: string }) => api.webhookEndpoints.update(id, change),
    onSettled,
  });
  const remove = useMutation({ mutationFn: (id: string) => api.webhookEndpoints.delete(id), onSettled });
  return { create, update, remove };
}

/** The secret that signs callbacks; requested only when it is shown. */
export function useSecret(isShown: boolean) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.secret(user),
    queryFn: ({ signal }) => api.callbacks.secret({ signal }),
    enabled: isShown,
    gcTime: 0,
  });
}

/** Creates a new secret. The old one also signs for a day. */
export function useRotateSecret() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.callbacks.rotateSecret({ overlap_s: 86_400 }),
    onSuccess: (secret) => queries.setQueryData(keys.secret(user), secret),
  });
}
