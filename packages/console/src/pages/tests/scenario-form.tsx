import type { Scenario } from '@switchboard/client';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { type Mistake, mistakesOf, offsetOf } from '../../data/mistakes.ts';
import { NewerText, useSaveScenario } from '../../data/save-scenario.ts';
import { nameOf } from '../../data/scenario-name.ts';
import { useScenarios, useSuites } from '../../data/tests.ts';
import { Button } from '../../ui/button.tsx';
import { ChangedLines } from '../../ui/changed-lines.tsx';
import { ConfirmLoss } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { useLeaveWarning } from '../../ui/leave-warning.ts';
import { useMay } from '../../ui/permission.ts';
import { type ScenarioEdit, useScenarioEdit } from './use-scenario-edit.ts';

const HINT = 'YAML or JSON. Its name stands in it: a text with another name is another scenario.';

interface Props {
  /** Where its edits are kept: the id of a scenario, or of what a new one is made of. */
  place: string;
  /** The text that the editor begins with. */
  text: string;
  /** The scenario as it is kept; absent for a new one. */
  stored?: Scenario | undefined;
}

/** The text of a scenario. Saving tells every mistake in it, with its place. */
export function ScenarioForm({ place, text: begun, stored }: Props) {
  const edit = useScenarioEdit(place, begun, stored);
  const { text } = edit;
  const save = useSaveScenario();
  const [, navigate] = useLocation();
  const area = useRef<HTMLDivElement>(null);
  const mayWrite = useMay('saveScenario');
  const mistakes = mistakesOf(save.error);
  const isChanged = text !== (stored?.text ?? '');
  useLeaveWarning(isChanged && save.data?.text !== text);
  const onSuccess = (saved: Scenario) => {
    edit.saved(saved);
    if (saved.id !== stored?.id) navigate(`/tests/scenarios/${saved.id}`, { replace: true });
  };
  const submit = (into: string) =>
    save.mutate({ text, from: stored && { id: stored.id, text: edit.from }, into }, { onSuccess });
  return (
    <div className="form">
      {stored && edit.isOvertaken && !save.isPending && <Overtaken edit={edit} stored={stored} />}
      <div ref={area}>
        <Field label="Scenario" hint={HINT}>
          <JsonEditor
            label="Scenario"
            value={text}
            isReadOnly={!mayWrite}
            isInvalid={mistakes.length > 0}
            onChange={edit.change}
          />
        </Field>
      </div>
      <Replaced text={text} stored={stored} />
      {mistakes.length > 0 && <Mistakes mistakes={mistakes} onShow={(one) => show(area.current, text, one)} />}
      {save.error && mistakes.length === 0 && !(save.error instanceof NewerText) && <Failure error={save.error} />}
      {mayWrite && (
        <Saving
          stored={stored}
          edit={edit}
          isChanged={isChanged}
          isEdited={text !== begun}
          save={save}
          onSave={submit}
        />
      )}
    </div>
  );
}

interface SavingProps extends Pick<Props, 'stored'> {
  edit: ScenarioEdit;
  /** The text is not the stored one. */
  isChanged: boolean;
  /** The text is not the one that the editor began with. */
  isEdited: boolean;
  save: ReturnType<typeof useSaveScenario>;
  /** Saves the text, and adds it to the suite of this name; empty for none. */
  onSave: (into: string) => void;
}

function Saving({ stored, edit, isChanged, isEdited, save, onSave }: SavingProps) {
  const [suite, setSuite] = useState('');
  const [newSuite, setNewSuite] = useState('');
  const [isDiscarding, setDiscarding] = useState(false);
  const isUnnamed = suite === NEW && !newSuite.trim();
  const isKept = stored !== undefined && (!isChanged || edit.isOvertaken);
  const discard = () => {
    edit.discard();
    save.reset();
  };
  return (
    <div className="scenario-end">
      {!stored && <IntoSuite suite={suite} newSuite={newSuite} onSuite={setSuite} onNewSuite={setNewSuite} />}
      <Button
        kind="primary"
        onClick={() => onSave(suite === NEW ? newSuite.trim() : suite)}
        isBusy={save.isPending}
        disabled={edit.text.trim() === '' || isKept || isUnnamed}
      >
        Save
      </Button>
      {isEdited && !edit.isOvertaken && (
        <Button onClick={() => setDiscarding(true)} disabled={save.isPending}>
          {stored ? 'Discard the changes' : 'Begin again'}
        </Button>
      )}
      <p className="muted" role="status" aria-label="State of the scenario">
        {stored && (isChanged ? 'Not saved yet.' : 'Saved.')}
      </p>
      {isDiscarding && (
        <ConfirmLoss
          title="Discard the changes?"
          text="The text is shown as it was before them."
          action="Discard them"
          onConfirm={discard}
          onClose={() => setDiscarding(false)}
        />
      )}
    </div>
  );
}

/** Says that somebody else has saved another text since, and lets whoever edits decide. */
function Overtaken({ edit, stored }: { edit: ScenarioEdit; stored: Scenario }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="notice row" role="alert">
      <p>
        <strong>Somebody else has saved this scenario meanwhile.</strong> Your text is made of an earlier one, and is
        not saved.
      </p>
      <div className="actions">
        <Button onClick={() => setShown(true)}>Compare</Button>
        <Button onClick={edit.discard}>Take theirs</Button>
        <Button onClick={edit.rebase}>Keep mine</Button>
      </div>
      {isShown && (
        <Dialog title="Yours, compared with theirs" isOpen isWide onClose={() => setShown(false)}>
          <ChangedLines before={stored.text} after={edit.text} />
        </Dialog>
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
