import type { DialPolicy, DialPreset } from '@switchboard/client';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { usePutPolicy } from '../../data/policies.ts';
import { notInForm } from '../../data/rule-shape.ts';
import { ApiCall } from '../../ui/api-call.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmLoss } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { useMay } from '../../ui/permission.ts';
import { PresetChoice } from './preset-choice.tsx';
import { RuleForm } from './rule-form.tsx';
import { type PolicyDraft, usePolicyDraft } from './use-policy-draft.ts';

interface Props {
  /** The policy as it was read; absent for a new one. */
  stored: DialPolicy | undefined;
  presets: DialPreset[];
}

/** A policy: as a form, or its rules as JSON. */
export function PolicyForm({ stored, presets }: Props) {
  const draft = usePolicyDraft(stored);
  const put = usePutPolicy();
  const [isDiscarding, setDiscarding] = useState(false);
  const [, navigate] = useLocation();
  const isReadOnly = !useMay('putDialPolicy');
  useLeaveWarning(draft.isChanged);
  const discard = () => {
    draft.discard();
    put.reset();
  };
  const { rules, name, isDefault, version } = draft;
  const wanted = { ...rules, ...(isDefault !== undefined && { is_default: isDefault }) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rules || isReadOnly) return;
    const onSuccess = (policy: DialPolicy) => {
      draft.saved(policy);
      if (!stored) navigate(`/policies/of/${policy.name}`, { replace: true });
    };
    put.mutate({ ...wanted, name, base: version }, { onSuccess });
  };
  return (
    <div className="form policy-form">
      {!stored && !isReadOnly && <PresetChoice presets={presets} draft={draft} />}
      <form className="form" onSubmit={submit}>
        <fieldset className="form plain-fieldset" disabled={isReadOnly}>
          {!stored && <NameField draft={draft} />}
          <DefaultField draft={draft} />
        </fieldset>
        <RulesEditor draft={draft} isReadOnly={isReadOnly} />
        {put.error && <Failure error={put.error} />}
        {rules && name !== '' && <ApiCall ask={(api) => api.dialPolicies.put(name, wanted)} />}
        {!isReadOnly && (
          <Saving stored={stored} draft={draft} isBusy={put.isPending} onDiscard={() => setDiscarding(true)} />
        )}
      </form>
      {isDiscarding && (
        <ConfirmLoss
          title="Discard the changes?"
          text={stored ? 'The policy is shown as it is saved.' : 'The form is empty again.'}
          action="Discard them"
          onConfirm={discard}
          onClose={() => setDiscarding(false)}
        />
      )}
    </div>
  );
}

function NameField({ draft: { name, setName } }: { draft: PolicyDraft }) {
  return (
    <Field
      label="Name"
      hint="Lower-case letters, digits, hyphens and underscores. Agents name it in their configuration."
    >
      <input
        value={name}
        onChange={({ target }) => setName(target.value)}
        pattern="[a-z0-9][a-z0-9_\-]{0,63}"
        placeholder="office-hours"
        required
      />
    </Field>
  );
}

function DefaultField({ draft: { isChecked, setDefault } }: { draft: PolicyDraft }) {
  return (
    <label className="check">
      <input type="checkbox" checked={isChecked} onChange={({ target }) => setDefault(target.checked)} />
      For all agents whose configuration names no other policy
    </label>
  );
}

interface SavingProps {
  stored: DialPolicy | undefined;
  draft: PolicyDraft;
  isBusy: boolean;
  onDiscard: () => void;
}

function Saving({ stored, draft: { isChanged, rules }, isBusy, onDiscard }: SavingProps) {
  return (
    <div className="form-end">
      <p className="muted" role="status">
        {isChanged ? 'Not saved yet.' : stored && `Saved as version ${stored.version}.`}
      </p>
      {isChanged && (
        <Button onClick={onDiscard} disabled={isBusy}>
          {stored ? 'Discard the changes' : 'Begin again'}
        </Button>
      )}
      <Button
        kind="primary"
        type="submit"
        isBusy={isBusy}
        disabled={rules === null || (stored !== undefined && !isChanged)}
      >
        Save
      </Button>
    </div>
  );
}

/** The same rules as a form and as JSON. What the form cannot show is shown as JSON. */
function RulesEditor({ draft, isReadOnly }: { draft: PolicyDraft; isReadOnly: boolean }) {
  const { text, setText, rules, setRules } = draft;
  const [isJson, setJson] = useState(false);
  // A text that is being typed is not replaced by the form once it can be.
  const type = (next: string) => {
    setJson(true);
    setText(next);
  };
  const odd = rules && notInForm(rules);
  const isFormed = rules !== null && odd === null;
  return (
    <>
      <div className="actions">
        <Button onClick={() => setJson(isFormed && !isJson)} disabled={!isFormed}>
          {isFormed && !isJson ? 'As JSON' : 'As a form'}
        </Button>
      </div>
      {isFormed && !isJson ? (
        <fieldset className="form plain-fieldset" disabled={isReadOnly}>
          <RuleForm rules={rules} onChange={setRules} />
        </fieldset>
      ) : (
        <>
          <JsonEditor label="Rules" value={text} onChange={type} isInvalid={!rules} isReadOnly={isReadOnly} />
          {!rules && <p className="problem">This is not a JSON object.</p>}
          {odd !== null && (
            <p className="problem">
              The form cannot show this: <code>{odd}</code> is missing, or of another type.
            </p>
          )}
        </>
      )}
    </>
  );
}
