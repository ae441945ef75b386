import type { AgentType } from '@switchboard/client';
import { Field } from '../../ui/field.tsx';
import { type AgentDraft, BY_CONFIG } from './agent-draft.ts';

const TYPES: AgentType[] = ['PIPELINE', 'LLM', 'STT', 'TTS'];

interface Props {
  draft: AgentDraft;
  edit: (change: Partial<AgentDraft>) => void;
  /** The type that the agent has now. */
  currentType: AgentType;
}

/** The fields of an agent, except for its configuration. */
export function AgentFields({ draft, edit, currentType }: Props) {
  return (
    <>
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
      <Field
        label="Type"
        hint={`Now ${currentType}. A changed configuration sets it again, unless you choose one here.`}
      >
        <select value={draft.type} onChange={({ target }) => edit({ type: target.value as AgentType })}>
          <option value={BY_CONFIG}>From the configuration</option>
          {TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Field>
      <Field label="Callback URL" hint="Receives a POST for each change of the agent’s calls.">
        <input
          type="url"
          value={draft.callbackUrl}
          onChange={({ target }) => edit({ callbackUrl: target.value })}
          placeholder="https://example.com/calls"
        />
      </Field>
      <label className="check">
        <input type="checkbox" checked={draft.isActive} onChange={({ target }) => edit({ isActive: target.checked })} />
        Accepts and places calls
      </label>
    </>
  );
}
