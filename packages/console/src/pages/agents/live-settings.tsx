import type { Agent } from '@switchboard/client';
import { useState } from 'react';
import { useSaveSettings } from '../../data/agents.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';

/** The settings of an agent that are no part of its versions, and take effect at once. */
export function LiveSettings({ agent, callbackUrl }: { agent: Agent; callbackUrl: string | null }) {
  const save = useSaveSettings(agent);
  const [typedUrl, setTypedUrl] = useState<string | null>(null);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const url = typedUrl ?? callbackUrl ?? '';
  const isActive = chosen ?? agent.is_active;
  const isOtherUrl = url !== (callbackUrl ?? '');
  const isOtherState = isActive !== agent.is_active;
  const isChanged = isOtherUrl || isOtherState;
  const submit = () =>
    save.mutate(
      { ...(isOtherState && { is_active: isActive }), ...(isOtherUrl && { callback_url: url || null }) },
      {
        onSuccess: () => {
          setTypedUrl(null);
          setChosen(null);
        },
      },
    );
  return (
    <section className="form management" aria-label="At once">
      <div>
        <h2>At once</h2>
        <p className="hint">No part of a version: it takes effect when it is saved.</p>
      </div>
      <label className="check">
        <input type="checkbox" checked={isActive} onChange={({ target }) => setChosen(target.checked)} />
        Accepts and places calls
      </label>
      <Field
        label="Callback URL"
        hint="Receives a POST for each change of the agent’s calls."
        error={save.error && messageOf(save.error)}
      >
        <input
          type="url"
          value={url}
          onChange={({ target }) => setTypedUrl(target.value)}
          placeholder="https://example.com/calls"
        />
      </Field>
      <div className="actions">
        <Button needs="updateAgent" isBusy={save.isPending} disabled={!isChanged} onClick={submit}>
          Save
        </Button>
        {save.isSuccess && !isChanged && <span className="muted">Saved.</span>}
      </div>
    </section>
  );
}
