import type { Suite } from '@switchboard/client';
import { useState } from 'react';
import { useScenarios, useSuites, useTestActions } from '../../data/tests.ts';
import { toggled } from '../../data/toggled.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Makes a suite of chosen scenarios, or changes which ones one has. Its name is how the service knows it: it stays. */
export function SuiteDialog({ suite, onClose }: { suite?: Suite; onClose: () => void }) {
  const scenarios = useScenarios();
  const suites = useSuites().data ?? [];
  const { saveSuite } = useTestActions();
  const [name, setName] = useState(suite?.name ?? '');
  const [chosen, setChosen] = useState<string[]>(suite?.scenarios ?? []);
  const isTaken = !suite && suites.some((other) => other.name === name.trim());
  const wanted = { name: name.trim(), scenarios: chosen };
  const error = saveSuite.error ?? scenarios.error;
  return (
    <FormDialog
      title={suite ? `Change ${suite.name}` : 'New suite'}
      action="Save"
      isBusy={saveSuite.isPending}
      isDisabled={name.trim() === '' || chosen.length === 0 || isTaken}
      onSubmit={() => saveSuite.mutate(wanted, { onSuccess: onClose })}
      onClose={onClose}
      ask={(api) => api.suites.save(wanted)}
    >
      {!suite && (
        <Field label="Name" error={isTaken ? 'There is a suite with this name: change that one.' : null}>
          <input value={name} maxLength={255} required onChange={({ target }) => setName(target.value)} />
        </Field>
      )}
      <fieldset className="test-choices">
        <legend className="label">Scenarios</legend>
        {scenarios.isPending && <Skeleton lines={3} />}
        {scenarios.data?.length === 0 && <p className="muted">There are no scenarios yet: make one first.</p>}
        {scenarios.data?.map(({ id, name: title }) => (
          <label key={id} className="check">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => setChosen(toggled(chosen, id))} />
            <span className="anywhere">{title}</span>
          </label>
        ))}
      </fieldset>
      <Problem>{error && messageOf(error)}</Problem>
    </FormDialog>
  );
}
