import type { Agent } from '@switchboard/client';
import type { FormEvent } from 'react';
import { useConfigCheck } from '../../data/agents.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { useAgentDraft } from './agent-draft.ts';
import { AgentFields } from './agent-fields.tsx';
import { ConfigReport } from './config-report.tsx';

/** The editable fields of an agent. */
export function AgentForm({ agent, callbackUrl }: { agent: Agent; callbackUrl: string }) {
  const { draft, read, edit, markEdited, save, update, isSaved } = useAgentDraft(agent, callbackUrl);
  const check = useConfigCheck(read.config);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form className="agent-form" onSubmit={submit} onChange={markEdited}>
      <div className="form">
        <AgentFields draft={draft} edit={edit} currentType={agent.type} />
        <ConfigReport problem={read.problem} check={check.data} />
      </div>
      <div className="form">
        <Field label="Configuration">
          <JsonEditor
            label="Configuration"
            value={draft.configText}
            onChange={(configText) => edit({ configText })}
            isInvalid={read.problem !== null}
          />
        </Field>
        <div className="form-end">
          {update.error && (
            <p className="problem" role="alert">
              {messageOf(update.error)}
            </p>
          )}
          {isSaved && <p className="muted">Saved.</p>}
          <Button kind="primary" type="submit" isBusy={update.isPending} disabled={!read.config}>
            Save
          </Button>
        </div>
      </div>
    </form>
  );
}
