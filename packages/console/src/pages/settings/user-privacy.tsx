import type { UserPrivacy as Rules } from '@switchboard/client';
import { useState } from 'react';
import { labelAt } from '../../data/form-fields.ts';
import { useUserSettings } from '../../data/users.ts';
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

/** Sets what is not kept of conversations of a user, whichever agent holds them. */
export function UserPrivacy({ user }: { user: string }) {
  const { settings, change } = useUserSettings(user);
  const [edited, setEdited] = useState<Rules | null>(null);
  const mayChange = useMay('updateUser');
  if (settings.isPending) return <Skeleton lines={4} />;
  if (!settings.data) return <Failure error={settings.error} onRetry={settings.refetch} />;
  const rules = edited ?? settings.data.privacy ?? {};
  const save = () => change.mutate({ privacy: isEmpty(rules) ? null : rules }, { onSuccess: () => setEdited(null) });
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
        onChange={(redact) => setEdited({ ...rules, redact })}
      />
      <Patterns of={rules} />
      <Keep keep={rules.keep ?? {}} isDisabled={!mayChange} onChange={(keep) => setEdited({ ...rules, keep })} />
      <Problem>{change.error && messageOf(change.error)}</Problem>
      <div className="actions">
        <Button needs="updateUser" isBusy={change.isPending} disabled={edited === null} onClick={save}>
          Save
        </Button>
        {change.isSuccess && edited === null && <span className="muted">Saved.</span>}
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

function Keep({ keep, isDisabled, onChange }: { keep: Days; isDisabled: boolean; onChange: (keep: Days) => void }) {
  const change = (name: keyof Days, text: string) => {
    const { [name]: _, ...others } = keep;
    onChange(text === '' ? others : { ...others, [name]: Number(text) });
  };
  return KEPT.map((name) => (
    <Field key={name} label={labelAt(['privacy', 'keep', name])}>
      <input
        type="number"
        min={1}
        disabled={isDisabled}
        value={keep[name] ?? ''}
        onChange={({ target }) => change(name, target.value)}
        placeholder="As agents and the installation keep it"
      />
    </Field>
  ));
}

const isEmpty = ({ redact = [], custom = [], keep = {} }: Rules) =>
  redact.length + custom.length + Object.keys(keep).length === 0;
