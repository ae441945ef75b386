import type { Agent } from '@switchboard/client';
import { useEffect } from 'react';
import { type AgentSettings, useSaveSettings } from '../../data/agents.ts';
import { useKept } from '../../data/kept.ts';

type Live = AgentSettings & Pick<Agent, 'is_active'>;
type Edits = Partial<Live>;

const TYPES: Record<string, string> = {
  is_active: 'boolean',
  legal_hold: 'boolean',
  callback_url: 'string',
  external_key: 'string',
};

/** Settings of an agent that take effect at once. Edits are kept in this tab of the browser until they are saved. */
export function useLiveSettings(agent: Agent, settings: AgentSettings) {
  const stored: Live = { ...settings, is_active: agent.is_active };
  const [kept, put] = useKept(`settings of ${agent.id}`, readEdits);
  const save = useSaveSettings(agent);
  const edits = without(kept, stored);
  // An edit that is stored by now is none: kept, it would undo what others store later. While edits are saved, going
  // back to what is still stored is one.
  useEffect(() => {
    if (!save.isPending && kept && Object.keys(edits ?? {}).length < Object.keys(kept).length) put(edits);
  });
  return {
    stored,
    /** As they are shown: the edited ones as typed. */
    shown: { ...stored, ...edits },
    isChanged: edits !== null,
    edit: (change: Edits) => put((now) => ({ ...now, ...change })),
    /** Saves the edits. Those that are made meanwhile stay. */
    submit: () => edits && save.mutate(edits),
    save,
  };
}

export type LiveDraft = ReturnType<typeof useLiveSettings>;

/** The edits whose values are others than these; null without any. */
function without(edits: Edits | null, values: Edits): Edits | null {
  const left = Object.entries(edits ?? {}).filter(([name, value]) => value !== values[name as keyof Live]);
  return left.length > 0 ? Object.fromEntries(left) : null;
}

function readEdits(kept: Record<string, unknown>): Edits | null {
  const isKnown = ([name, value]: [string, unknown]) =>
    typeof value === TYPES[name] || (value === null && TYPES[name] === 'string');
  return Object.fromEntries(Object.entries(kept).filter(isKnown));
}
