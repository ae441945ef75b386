import type { Scenario } from '@switchboard/client';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Mistake, mistakesOf, offsetOf } from '../../data/mistakes.ts';
import { useSaveScenario } from '../../data/save-scenario.ts';
import { nameOf } from '../../data/scenario-name.ts';
import { useScenarios, useSuites } from '../../data/tests.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { useMay } from '../../ui/permission.ts';

const HINT = 'YAML or JSON. Its name stands in it: a text with another name is another scenario.';

interface Props {
  /** The text that the editor begins with. */
  text: string;
  /** The scenario as it is kept; absent for a new one. */
  stored?: Scenario | undefined;
}

/** The text of a scenario. Saving tells every mistake in it, with its place. */
export function ScenarioForm({ text: begun, stored }: Props) {
  const [text, setText] = useState(begun);
  const [suite, setSuite] = useState('');
  const [newSuite, setNewSuite] = useState('');
  const save = useSaveScenario();
  const [, navigate] = useLocation();
  const area = useRef<HTMLDivElement>(null);
  const mayWrite = useMay('saveScenario');
  const mistakes = mistakesOf(save.error);
  const isChanged = text !== (stored?.text ?? '');
  useLeaveWarning(isChanged && save.data?.text !== text);
  const onSuccess = ({ id }: Scenario) => id !== stored?.id && navigate(`/tests/scenarios/${id}`, { replace: true });
  const submit = () => save.mutate({ text, into: suite === NEW ? newSuite.trim() : suite }, { onSuccess });
  return (
    <div className="form">
      <div ref={area}>
        <Field label="Scenario" hint={HINT}>
          <JsonEditor
            label="Scenario"
            value={text}
            isReadOnly={!mayWrite}
            isInvalid={mistakes.length > 0}
            onChange={setText}
          />
        </Field>
      </div>
      <Replaced text={text} stored={stored} />
      {mistakes.length > 0 && <Mistakes mistakes={mistakes} onShow={(one) => show(area.current, text, one)} />}
      {save.error && mistakes.length === 0 && <Failure error={save.error} />}
      {mayWrite && (
        <div className="scenario-end">
          {!stored && <IntoSuite suite={suite} newSuite={newSuite} onSuite={setSuite} onNewSuite={setNewSuite} />}
          <Button
            kind="primary"
            onClick={submit}
            isBusy={save.isPending}
            disabled={text.trim() === '' || (stored !== undefined && !isChanged) || (suite === NEW && !newSuite.trim())}
          >
            Save
          </Button>
          <p className="muted" role="status" aria-label="State of the scenario">
            {stored && (isChanged ? 'Not saved yet.' : 'Saved.')}
          </p>
        </div>
      )}
    </div>
  );
}

/** Says so if saving replaces another scenario than the one that is edited. */
function Replaced({ text, stored }: Pick<Props, 'text' | 'stored'>) {
  const name = nameOf(text);
  const other = useScenarios().data?.find((one) => one.name === name);
  if (!other || other.id === stored?.id) return null;
  return (
    <p className="notice" role="status">
      <span>
        There is a scenario with this name: saving replaces <strong>{name}</strong>.
      </span>
    </p>
  );
}

/** A suite that there is not yet. */
const NEW = 'new';

interface IntoProps {
  suite: string;
  newSuite: string;
  onSuite: (suite: string) => void;
  onNewSuite: (name: string) => void;
}

function IntoSuite({ suite, newSuite, onSuite, onNewSuite }: IntoProps) {
  const suites = useSuites().data ?? [];
  return (
    <>
      <Field label="Add to the suite">
        <select value={suite} onChange={({ target }) => onSuite(target.value)}>
          <option value="">None</option>
          {suites.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
          <option value={NEW}>A new suite…</option>
        </select>
      </Field>
      {suite === NEW && (
        <Field label="Name of the suite">
          <input value={newSuite} maxLength={255} onChange={({ target }) => onNewSuite(target.value)} />
        </Field>
      )}
    </>
  );
}

function Mistakes({ mistakes, onShow }: { mistakes: Mistake[]; onShow: (mistake: Mistake) => void }) {
  return (
    <div className="failure" role="alert">
      <p>
        <strong>{mistakes.length === 1 ? 'Not saved: 1 mistake' : `Not saved: ${mistakes.length} mistakes`}</strong>
      </p>
      <ul>
        {mistakes.map((mistake) => (
          <li key={mistake.message}>
            <button type="button" className="link anywhere" onClick={() => onShow(mistake)}>
              {mistake.message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Puts the cursor where a mistake is. */
function show(within: HTMLElement | null, text: string, mistake: Mistake): void {
  const area = within?.querySelector('textarea');
  const at = offsetOf(text, mistake);
  area?.focus();
  area?.setSelectionRange(at, at);
}
