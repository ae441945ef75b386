import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { useMay } from '../../ui/permission.ts';
import { Problem } from '../../ui/problem.tsx';
import type { LiveDraft } from './use-live-settings.ts';

/** The settings of an agent that are no part of its versions, and take effect at once. */
export function LiveSettings({ live: { shown, isChanged, edit, submit, save } }: { live: LiveDraft }) {
  const { is_active, callback_url, external_key, legal_hold } = shown;
  return (
    <section className="form management" aria-label="At once">
      <Intro />
      <label className="check">
        <input type="checkbox" checked={is_active} onChange={({ target }) => edit({ is_active: target.checked })} />
        Accepts and places calls
      </label>
      <Field label="Callback URL" hint="Receives a POST for each change of the agent’s calls.">
        <input
          type="url"
          value={callback_url ?? ''}
          onChange={({ target }) => edit({ callback_url: target.value || null })}
          placeholder="https://example.com/calls"
        />
      </Field>
      <Field label="External key" hint="A name for this agent in files and scripts, unique among your agents.">
        <input
          value={external_key ?? ''}
          onChange={({ target }) => edit({ external_key: target.value || null })}
          maxLength={100}
          placeholder="front-desk"
        />
      </Field>
      <LegalHold isHeld={legal_hold} onChange={(held) => edit({ legal_hold: held })} />
      <Problem>{save.error && messageOf(save.error)}</Problem>
      <div className="actions">
        <Button needs="updateAgent" isBusy={save.isPending} disabled={!isChanged} onClick={submit}>
          Save
        </Button>
        {isChanged && <span className="muted">Not saved yet.</span>}
        {save.isSuccess && !isChanged && <span className="muted">Saved.</span>}
      </div>
    </section>
  );
}

/** Set by those who may set it for users; others are told of it. */
function LegalHold({ isHeld, onChange }: { isHeld: boolean; onChange: (isHeld: boolean) => void }) {
  if (useMay('setAgentLegalHold'))
    return (
      <label className="check">
        <input type="checkbox" checked={isHeld} onChange={({ target }) => onChange(target.checked)} />
        Legal hold: none of its conversations are deleted
      </label>
    );
  return isHeld ? <p className="notice">Under a legal hold: none of its conversations are deleted.</p> : null;
}

function Intro() {
  return (
    <div>
      <h2>At once</h2>
      <p className="hint">No part of a version: it takes effect when it is saved.</p>
    </div>
  );
}
