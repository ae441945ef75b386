import type { Agent, AgentType } from '@switchboard/client';
import { useState } from 'react';
import { useUpdateAgent } from '../../data/agents.ts';
import { readConfig } from './read-config.ts';

/** Lets a changed configuration determine the agent's type. */
export const BY_CONFIG = '';

/** The fields of the form, as typed. */
export interface AgentDraft {
  name: string;
  description: string;
  callbackUrl: string;
  isActive: boolean;
  type: AgentType | typeof BY_CONFIG;
  /** The configuration as JSON. */
  configText: string;
}

/** Holds the changes to an agent, and saves them. */
export function useAgentDraft(agent: Agent, storedUrl: string) {
  const [draft, setDraft] = useState(() => toDraft(agent, storedUrl));
  const [storedText, setStoredText] = useState(draft.configText);
  const [isEdited, setEdited] = useState(false);
  const update = useUpdateAgent(agent.id);
  const read = readConfig(draft.configText);
  const save = () => {
    if (!read.config) return;
    const { name, description, callbackUrl, isActive, type, configText } = draft;
    const change = {
      name,
      description: description || null,
      is_active: isActive,
      callbackUrl: callbackUrl || null,
      // Omitted, so that a type that was chosen before stays.
      ...(configText !== storedText && { config: read.config }),
      ...(type && { type }),
    };
    const onSuccess = () => {
      setStoredText(configText);
      setDraft((now) => (now.type === type ? { ...now, type: BY_CONFIG } : now));
    };
    setEdited(false);
    update.mutate(change, { onSuccess });
  };
  return {
    draft,
    read,
    edit: (change: Partial<AgentDraft>) => setDraft((before) => ({ ...before, ...change })),
    markEdited: () => setEdited(true),
    save,
    update,
    isSaved: update.isSuccess && !isEdited,
  };
}

function toDraft(agent: Agent, callbackUrl: string): AgentDraft {
  return {
    name: agent.name,
    description: agent.description ?? '',
    callbackUrl,
    isActive: agent.is_active,
    type: BY_CONFIG,
    configText: JSON.stringify(agent.config, null, 2),
  };
}
