import type { ApiKeyCreate } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from './session.tsx';

/** API keys, in pages. */
export function useKeys() {
  const { api } = useSession();
  return useInfiniteQuery({
    queryKey: ['keys'],
    queryFn: ({ pageParam, signal }) =>
      api.keys.list({ limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }).then((page) => page),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** Creates a key, whose text is only in the response, and revokes one. */
export function useKeyActions() {
  const { api } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['keys'] });
  const create = useMutation({ mutationFn: (key: ApiKeyCreate) => api.keys.create(key), onSettled });
  const revoke = useMutation({ mutationFn: (id: string) => api.keys.revoke(id), onSettled });
  return { create, revoke };
}

/** The audit log, newest first, in pages. */
export function useAuditLog() {
  const { api } = useSession();
  return useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      api.audit.list({ limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }).then((page) => page),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
}

/** The service's effective configuration, without secrets. */
export function useServiceSettings() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => api.service.settings({ signal }).then(({ settings }) => settings),
  });
}

/** Maximum duration of the checks, with a margin: the service ends them after a minute. */
const DOCTOR_MS = 75_000;

/** Has the service check its dependencies. */
export function useDoctor() {
  const { api } = useSession();
  return useMutation({ mutationFn: () => api.service.doctor({ timeoutMs: DOCTOR_MS, maxRetries: 0 }) });
}

/** Erases everything that belongs to a user except what the ledger must keep. */
export function useEraseUser(id: string) {
  const { api } = useSession();
  const queries = useQueryClient();
  return useMutation({ mutationFn: () => api.users.erase(id), onSuccess: () => queries.invalidateQueries() });
}
