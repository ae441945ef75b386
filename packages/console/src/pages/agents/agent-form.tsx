import type { Agent, AgentType } from '@switchboard/client';
import { type FormEvent, useState } from 'react';
import { useConfigCheck, useUpdateAgent } from '../../data/agents.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { ConfigReport } from './config-report.tsx';
import { readConfig } from './read-config.ts';

const TYPES: AgentType[] = ['PIPELINE', 'LLM', 'STT', 'TTS'];
/** Lets a changed configuration determine the agent's type. */
const BY_CONFIG = '';

/** The editable fields of an agent. */
export function AgentForm({ agent, callbackUrl: storedUrl }: { agent: Agent; callbackUrl: string }) {
  const [name, setName] = useState(agent.name);
  const [description, setDescription] = useState(agent.description ?? '');
  const [callbackUrl, setCallbackUrl] = useState(storedUrl);
  const [isActive, setActive] = useState(agent.is_active);
  const [stored, setStored] = useState(() => JSON.stringify(agent.config, null, 2));
  const [text, setText] = useState(stored);
  const [type, setType] = useState<AgentType | typeof BY_CONFIG>(BY_CONFIG);
  const [isEdited, setEdited] = useState(false);
  const read = readConfig(text);
  const check = useConfigCheck(read.config);
  const update = useUpdateAgent(agent.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!read.config) return;
    const change = {
      name,
      description: description || null,
      is_active: isActive,
      callbackUrl: callbackUrl || null,
      // Omitted, so that a type that was chosen before stays.
      ...(text !== stored && { config: read.config }),
      ...(type && { type }),
    };
    const onSuccess = () => {
      setStored(text);
      setType((now) => (now === type ? BY_CONFIG : now));
    };
    setEdited(false);
    update.mutate(change, { onSuccess });
  };
  return (
    <form className="agent-form" onSubmit={submit} onChange={() => setEdited(true)}>
      <div className="form">
        <Field label="Name">
          <input value={name} onChange={(event) => setName(event.target.value)} required maxLength={255} />
        </Field>
        <Field label="Description">
          <input value={description} onChange={(event) => setDescription(event.target.value)} maxLength={2000} />
        </Field>
        <Field
          label="Type"
          hint={`Now ${agent.type}. A changed configuration sets it again, unless you choose one here.`}
        >
          <select value={type} onChange={(event) => setType(event.target.value as AgentType)}>
            <option value={BY_CONFIG}>From the configuration</option>
            {TYPES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label="Callback URL" hint="Receives a POST for each change of the agent’s calls.">
          <input
            type="url"
            value={callbackUrl}
            onChange={(event) => setCallbackUrl(event.target.value)}
            placeholder="https://example.com/calls"
          />
        </Field>
        <label className="check">
          <input type="checkbox" checked={isActive} onChange={(event) => setActive(event.target.checked)} />
          Accepts and places calls
        </label>
        <ConfigReport problem={read.problem} check={check.data} />
      </div>
      <div className="form">
        <Field label="Configuration">
          <JsonEditor label="Configuration" value={text} onChange={setText} isInvalid={read.problem !== null} />
        </Field>
        <div className="form-end">
          {update.error && (
            <p className="problem" role="alert">
              {messageOf(update.error)}
            </p>
          )}
          {update.isSuccess && !isEdited && <p className="muted">Saved.</p>}
          <Button kind="primary" type="submit" isBusy={update.isPending} disabled={!read.config}>
            Save
          </Button>
        </div>
      </div>
    </form>
  );
}
