import type { Agent, AgentDraft, AgentType } from '@switchboard/client';
import { BY_CONFIG, type DraftFields } from '../../data/agent-draft.ts';
import { AGENT_TYPES } from '../../data/agent-types.ts';
import { Field } from '../../ui/field.tsx';
import { AgentManagement } from './agent-management.tsx';
import { LiveSettings } from './live-settings.tsx';
import type { LiveDraft } from './use-live-settings.ts';

interface Props {
  agent: Agent;
  live: LiveDraft;
  /** The draft as it is saved. */
  stored: AgentDraft;
  draft: DraftFields;
  edit: (change: Partial<DraftFields>) => void;
}

/** Name, description and type, which are in the draft; settings that take effect at once; copy, file, deletion. */
export function GeneralSection({ agent, live, stored, draft, edit }: Props) {
  return (
    <>
      <div className="columns">
        <Field label="Name">
          <input value={draft.name} onChange={({ target }) => edit({ name: target.value })} required maxLength={255} />
        </Field>
        <Field label="Description">
          <input
            value={draft.description}
            onChange={({ target }) => edit({ description: target.value })}
            maxLength={2000}
          />
        </Field>
      </div>
      <Field
        label="Type"
        hint={`Now: ${AGENT_TYPES[stored.type].toLowerCase()}. A changed configuration sets it again, unless you choose one here.`}
      >
        <select value={draft.type} onChange={({ target }) => edit({ type: target.value as AgentType })}>
          <option value={BY_CONFIG}>From the configuration</option>
          {Object.entries(AGENT_TYPES).map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <LiveSettings live={live} />
      <AgentManagement agent={agent} externalKey={live.stored.external_key} />
    </>
  );
}
