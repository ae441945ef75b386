import type { AgentUpdate } from '@switchboard/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useOneUser, useSession } from './session.tsx';

/** The user's agents, newest first. Not read while all users are shown: agents are listed by user. */
export function useAgents() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'agents'],
    queryFn: ({ signal }) => api.agents.list({ signal }),
    enabled: user !== null,
  });
}

/** The agents of any user, for choosing one while all users are shown. */
export function useAgentsOf(owner: string) {
  const { createApi } = useSession();
  return useQuery({
    queryKey: [owner, 'agents'],
    queryFn: ({ signal }) => createApi(undefined, owner).agents.list({ signal }),
  });
}

/** One agent. */
export function useAgent(id: string | null) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'agent', id],
    queryFn: ({ signal }) => api.agents.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** The callback URL of an agent. */
export function useAgentCallbackUrl(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: [user, 'agent', id, 'callback-url'],
    queryFn: ({ signal }) => api.agents.callbackUrl(id, { signal }),
  });
}

/** Creates an agent of the user. */
export function useCreateAgent() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (agent: { name: string; description: string; config: Record<string, unknown> }) =>
      api.agents.create({ ...agent, user_id: user }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [user, 'agents'] }),
  });
}

/** Changes an agent and its callback URL. */
export function useUpdateAgent(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ callbackUrl, ...change }: AgentUpdate & { callbackUrl: string | null }) => {
      await api.agents.setCallbackUrl(id, { callback_url: callbackUrl });
      return api.agents.update(id, change);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [user] }),
  });
}

/** Deletes an agent; its calls and costs stay. */
export function useDeleteAgent(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.agents.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [user, 'agents'] }),
  });
}

/** Problems of a configuration, and the variables in its texts, as reported by the service. */
export function useConfigCheck(config: Record<string, unknown> | null) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['config-check', config],
    queryFn: ({ signal }) => api.agents.validateConfig({ config: config ?? {} }, { signal }),
    enabled: config !== null,
    placeholderData: (before) => before,
  });
}
