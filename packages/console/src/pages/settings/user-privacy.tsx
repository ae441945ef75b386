import type { UserPrivacy as Rules } from '@switchboard/client';
import { useState } from 'react';
import { labelAt } from '../../data/form-fields.ts';
import { useChangePrivacy, useUserSettings } from '../../data/users.ts';
import { REDACTED } from '../../data/value-labels.ts';
import { Button } from '../../ui/button.tsx';
import { CheckGroup } from '../../ui/check-group.tsx';
import { Failure, messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { useMay } from '../../ui/permission.ts';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

type Kind = keyof typeof REDACTED;
const KINDS = Object.keys(REDACTED) as Kind[];
const KEPT = ['transcripts_days', 'recordings_days', 'metadata_days'] as const;
/** A change of the rules, whatever else they say by the time at which it is saved. */
type Edit = (rules: Rules) => Rules;

/** Sets what is not kept of conversations of a user, whichever agent holds them. */
export function UserPrivacy({ user }: { user: string }) {
  const { settings } = useUserSettings(user);
  const change = useChangePrivacy(user);
  const [edits, setEdits] = useState<Edit[]>([]);
  const mayChange = useMay('updateUser');
  if (settings.isPending) return <Skeleton lines={4} />;
  if (!settings.data) return <Failure error={settings.error} onRetry={settings.refetch} />;
  const apply = (to: Rules) => edits.reduce((rules, one) => one(rules), to);
  const rules = apply(settings.data.privacy ?? {});
  const edit = (one: Edit) => setEdits((now) => [...now, one]);
  const save = () => change.mutate(apply, { onSuccess: () => setEdits((now) => now.slice(edits.length)) });
  return (
    <section className="form narrow" aria-label="Privacy">
      <h2>Privacy</h2>
      {settings.error && <Failure error={settings.error} onRetry={settings.refetch} />}
      <p className="muted">
        For all conversations of the user {user} that begin from now on. Rules of their agents apply, too; of two times,
        the shorter one.
      </p>
      <CheckGroup
        label={labelAt(['privacy', 'redact'])}
        names={KINDS}
        labelOf={(kind) => REDACTED[kind]}
        chosen={rules.redact ?? []}
        isDisabled={!mayChange}
        onChange={(chosen) => edit(withKinds(rules.redact ?? [], chosen))}
      />
      <Patterns of={rules} />
      <Keep keep={rules.keep ?? {}} isDisabled={!mayChange} onChange={(name, days) => edit(withDays(name, days))} />
      <Problem>{change.error && messageOf(change.error)}</Problem>
      <div className="actions">
        <Button needs="updateUser" isBusy={change.isPending} disabled={edits.length === 0} onClick={save}>
          Save
        </Button>
        {change.isSuccess && edits.length === 0 && <span className="muted">Saved.</span>}
      </div>
    </section>
  );
}

/** Patterns are set by requests; what is saved here keeps them. */
function Patterns({ of: { custom = [] } }: { of: Rules }) {
  if (custom.length === 0) return null;
  return (
    <p>
      {labelAt(['privacy', 'custom'])}: <code>{custom.map(({ name }) => name).join(', ')}</code>
    </p>
  );
}

type Days = NonNullable<Rules['keep']>;

/** The same kinds added and taken away as from the first to the second list. */
function withKinds(before: Kind[], after: Kind[]): Edit {
  const isChanged = (kind: Kind) => before.includes(kind) !== after.includes(kind);
  return (rules) => ({
    ...rules,
    redact: KINDS.filter((kind) => (isChanged(kind) ? after : (rules.redact ?? [])).includes(kind)),
  });
}

function withDays(name: keyof Days, days: string): Edit {
  return (rules) => {
    const { [name]: _, ...others } = rules.keep ?? {};
    return { ...rules, keep: days === '' ? others : { ...others, [name]: Number(days) } };
  };
}

interface KeepProps {
  keep: Days;
  isDisabled: boolean;
  onChange: (name: keyof Days, days: string) => void;
}

function Keep({ keep, isDisabled, onChange }: KeepProps) {
  return KEPT.map((name) => (
    <Field key={name} label={labelAt(['privacy', 'keep', name])}>
      <input
        type="number"
        min={1}
        disabled={isDisabled}
        value={keep[name] ?? ''}
        onChange={({ target }) => onChange(name, target.value)}
        placeholder="As agents and the installation keep it"
      />
    </Field>
  ));
}
