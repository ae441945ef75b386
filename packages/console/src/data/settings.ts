import type { ApiKeyCreate, FunctionCheckCreate, ProviderCheckCreate } from '@switchboard/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { inPages } from './pages.ts';
import { useOneUser, useSession } from './session.tsx';

/** API keys, in pages. */
export function useKeys() {
  const { api } = useSession();
  return useInfiniteQuery(inPages(keys.apiKeys, (at, options) => api.keys.list({ limit: 50, ...at }, options)));
}

/** Creates a key, whose text is only in the response, and revokes one. */
export function useKeyActions() {
  const { api } = useSession();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: keys.apiKeys });
  const create = useMutation({ mutationFn: (key: ApiKeyCreate) => api.keys.create(key), onSettled });
  const revoke = useMutation({ mutationFn: (id: string) => api.keys.revoke(id), onSettled });
  return { create, revoke };
}

const WORK_EVERY_MS = 5_000;

/** Queued work by kind, and what of it fails. */
export function useWork() {
  const { api } = useSession();
  return useQuery({
    queryKey: keys.work,
    queryFn: ({ signal }) => api.service.work({}, { signal }),
    refetchInterval: WORK_EVERY_MS,
  });
}

/** Makes failed work due at once. */
export function useRetryWork() {
  const { api } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.service.retryWork(id),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.work }),
  });
}

/** The service's effective configuration, without secrets. */
export function useServiceSettings(isNeeded = true) {
  const { api } = useSession();
  return useQuery({
    queryKey: keys.settings,
    queryFn: ({ signal }) => api.service.settings({ signal }).then(({ settings }) => settings),
    enabled: isNeeded,
  });
}

/** The bytes stored for the user, with its limits. */
export function useQuota() {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.quota(user),
    queryFn: ({ signal }) => api.quotas.get(user, { signal }).then((quota) => quota),
  });
}

/** Maximum duration of the checks, with a margin: the service ends them after a minute. */
const DOCTOR_MS = 75_000;

/** Has the service check its dependencies. */
export function useDoctor() {
  const { api } = useSession();
  return useMutation({ mutationFn: () => api.service.doctor({ timeoutMs: DOCTOR_MS, maxRetries: 0 }) });
}

/** Longer than a worker takes for it. */
const PROVIDER_CHECK_MS = 45_000;

/** Has a worker ask a model. */
export function useProviderCheck() {
  const { api } = useSession();
  return useMutation({
    mutationFn: (asked: ProviderCheckCreate) =>
      api.service.checkProvider(asked, { timeoutMs: PROVIDER_CHECK_MS, maxRetries: 0 }),
  });
}

/** Longer than the service waits. */
const FUNCTION_CHECK_MS = 80_000;

/** Has a worker call a function of an agent. */
export function useFunctionCheck(agentId: string) {
  const { api } = useSession();
  return useMutation({
    mutationFn: (asked: FunctionCheckCreate) =>
      api.agents.checkFunction(agentId, asked, { timeoutMs: FUNCTION_CHECK_MS, maxRetries: 0 }),
  });
}

/** Erases everything that belongs to a user except what the ledger must keep. */
export function useEraseUser(id: string) {
  const { api } = useSession();
  const queries = useQueryClient();
  return useMutation({ mutationFn: () => api.users.erase(id), onSuccess: () => queries.invalidateQueries() });
}
