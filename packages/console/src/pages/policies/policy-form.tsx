import type { DialPolicy, DialPreset, DialRules } from '@switchboard/client';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { usePutPolicy } from '../../data/policies.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { useMay } from '../../ui/permission.ts';
import { PresetChoice } from './preset-choice.tsx';
import { RuleForm } from './rule-form.tsx';

interface Props {
  /** The policy as it was read; absent for a new one. */
  stored: DialPolicy | undefined;
  presets: DialPreset[];
}

const NO_RULES: DialRules = {};

/** A policy: as a form, or its rules as JSON. */
export function PolicyForm({ stored: latest, presets }: Props) {
  const { stored, name, setName, isDefault, setDefault, rules, setRules, isChanged, put, save } = usePolicy(latest);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <form className="form policy-form" onSubmit={submit}>
      {!stored && (
        <>
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
          <PresetChoice presets={presets} onChoose={setRules} />
        </>
      )}
      <label className="check">
        <input type="checkbox" checked={isDefault} onChange={({ target }) => setDefault(target.checked)} />
        For all agents whose configuration names no other policy
      </label>
      <RulesEditor rules={rules} onChange={setRules} />
      {put.error && <Failure error={put.error} />}
      <Saving stored={stored} isChanged={isChanged} isBusy={put.isPending} />
    </form>
  );
}

/** The policy that is edited. It stays, though the list is read again meanwhile. */
function usePolicy(latest: DialPolicy | undefined) {
  const [stored, setStored] = useState(latest);
  const [name, setName] = useState(stored?.name ?? '');
  const [isDefault, setDefault] = useState(stored?.is_default ?? false);
  const [rules, setRules] = useState(stored?.rules ?? NO_RULES);
  const put = usePutPolicy();
  const [, navigate] = useLocation();
  const isChanged = isDefault !== (stored?.is_default ?? false) || !isSame(rules, stored?.rules ?? NO_RULES);
  useLeaveWarning(isChanged);
  const onSuccess = (policy: DialPolicy) => {
    setStored(policy);
    setRules(policy.rules);
    if (!stored) navigate(`/policies/of/${policy.name}`, { replace: true });
  };
  const save = () => put.mutate({ ...rules, name, is_default: isDefault, base: stored?.version ?? 0 }, { onSuccess });
  return { stored, name, setName, isDefault, setDefault, rules, setRules, isChanged, put, save };
}

interface SavingProps {
  stored: DialPolicy | undefined;
  isChanged: boolean;
  isBusy: boolean;
}

function Saving({ stored, isChanged, isBusy }: SavingProps) {
  if (!useMay('putDialPolicy')) return null;
  return (
    <div className="form-end">
      <p className="muted" role="status">
        {stored && (isChanged ? 'Not saved yet.' : `Saved as version ${stored.version}.`)}
      </p>
      <Button kind="primary" type="submit" isBusy={isBusy} disabled={stored !== undefined && !isChanged}>
        Save
      </Button>
    </div>
  );
}

/** The same rules as a form and as JSON. A text that is no JSON changes nothing. */
function RulesEditor({ rules, onChange }: { rules: DialRules; onChange: (rules: DialRules) => void }) {
  const [text, setText] = useState<string | null>(null);
  const edit = (next: string) => {
    setText(next);
    const parsed = parse(next);
    if (parsed) onChange(parsed);
  };
  const isInvalid = text !== null && !parse(text);
  return (
    <>
      <div className="actions">
        <Button onClick={() => setText(text === null ? JSON.stringify(rules, null, 2) : null)} disabled={isInvalid}>
          {text === null ? 'As JSON' : 'As a form'}
        </Button>
      </div>
      {text === null ? (
        <RuleForm rules={rules} onChange={onChange} />
      ) : (
        <>
          <JsonEditor label="Rules" value={text} onChange={edit} isInvalid={isInvalid} />
          {isInvalid && <p className="problem">This is no JSON object.</p>}
        </>
      )}
    </>
  );
}

function parse(text: string): DialRules | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as DialRules) : null;
  } catch {
    return null;
  }
}

/** Whether rules say the same: lists that are empty say nothing. */
function isSame(a: DialRules, b: DialRules): boolean {
  const said = (rules: DialRules) =>
    JSON.stringify(
      Object.entries(rules)
        .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return said(a) === said(b);
}
