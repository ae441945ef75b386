import { type Agent, type JsonObject, SwitchboardError } from '@switchboard/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { noteSaved } from './agent-draft.ts';
import type { AgentFile, PortableAgent } from './agent-file.ts';
import { keys } from './keys.ts';
import { useOneUser, useSession } from './session.tsx';

/** The user's agents, newest first. Not read while all users are shown: agents are listed by user. */
export function useAgents() {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.agents(user),
    queryFn: ({ signal }) => api.agents.list({ signal }),
    enabled: user !== null,
  });
}

/** The agents of any user, for choosing one while all users are shown. */
export function useAgentsOf(owner: string) {
  const { createApi } = useSession();
  return useQuery({
    queryKey: keys.agents(owner),
    queryFn: ({ signal }) => createApi(undefined, owner).agents.list({ signal }),
  });
}

/** One agent. */
export function useAgent(id: string | null) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.agent(user, id),
    queryFn: ({ signal }) => api.agents.get(id ?? '', { signal }),
    enabled: id !== null,
  });
}

/** Settings of an agent that are no part of its versions. */
export interface AgentSettings {
  callback_url: string | null;
  external_key: string | null;
  legal_hold: boolean;
}

/** The settings of an agent that are not in its versions. */
export function useAgentSettings(id: string) {
  const { api, user } = useSession();
  return useQuery({
    queryKey: keys.agentSettings(user, id),
    queryFn: async ({ signal }): Promise<AgentSettings> => {
      const [{ callback_url }, { external_key }, { legal_hold }] = await Promise.all([
        api.agents.callbackUrl(id, { signal }),
        api.agents.externalKey(id, { signal }),
        api.agents.legalHold(id, { signal }),
      ]);
      return { callback_url, external_key, legal_hold };
    },
  });
}

/** Creates an agent of the user. */
export function useCreateAgent() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (agent: PortableAgent) => api.agents.create({ ...agent, user_id: user }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.agents(user) }),
  });
}

/**
 * Takes over an agent from a file: as the draft of the user's agent with its external key, otherwise as a new one.
 * Refuses to replace a draft that has not been published.
 */
export function useImportAgent() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ external_key, ...agent }: AgentFile) => {
      const known = external_key === null ? null : await api.agents.byExternalKey(external_key).catch(noneIfMissing);
      if (!known) {
        const created = await api.agents.create({ ...agent, user_id: user });
        if (external_key !== null) await api.agents.setExternalKey(created.id, { external_key });
        return created;
      }
      const { has_changes, revision } = await api.drafts.get(known.id);
      if (has_changes)
        throw new Error(
          `${known.name} has the external key ${external_key}, and a draft: publish or discard it first.`,
        );
      const saved = await api.drafts.put(known.id, agent, { ifMatch: revision });
      noteSaved(sessionStorage, known.id, saved.revision);
      return known;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.all(user) }),
  });
}

function noneIfMissing(error: unknown): null {
  if (error instanceof SwitchboardError && error.status === 404) return null;
  throw error;
}

/** Creates an agent with the same saved fields; number and callback URL stay with the first one. */
export function useDuplicateAgent() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, description, type, config }: Agent) =>
      api.agents.create({ name: `${name.slice(0, 240)} (copy)`, description, type, config, user_id: user }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.agents(user) }),
  });
}

/** Saves settings that are not in the draft and take effect at once; those left out stay. */
export function useSaveSettings(agent: Agent) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({
      is_active,
      callback_url,
      external_key,
      legal_hold,
    }: Partial<AgentSettings & Pick<Agent, 'is_active'>>) => {
      if (external_key !== undefined) await api.agents.setExternalKey(agent.id, { external_key });
      if (callback_url !== undefined) await api.agents.setCallbackUrl(agent.id, { callback_url });
      if (legal_hold !== undefined) await api.agents.setLegalHold(agent.id, { legal_hold });
      if (is_active !== undefined) await api.agents.update(agent.id, { is_active });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.all(user) }),
  });
}

/** Deletes an agent; its calls and costs stay. */
export function useDeleteAgent(id: string) {
  const { api, user } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.agents.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.agents(user) }),
  });
}

/** The variables in an agent's texts; none until they are known. */
export const useVariables = (config: JsonObject) => useConfigCheck(config).data?.variables ?? [];

/** Problems of a configuration, and the variables in its texts, as reported by the service. */
export function useConfigCheck(config: JsonObject | null) {
  const { api } = useSession();
  return useQuery({
    queryKey: keys.configCheck(config),
    queryFn: ({ signal }) => api.agents.validateConfig({ config: config ?? {} }, { signal }),
    enabled: config !== null,
    placeholderData: (before) => before,
  });
}
