import { TEMPLATES } from '@switchboard/templates';
import { type ReactNode, useState } from 'react';
import { useAddTemplateTests } from '../../data/template-tests.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Makes the suite of a template, in a dialog that the child opens. */
export function TemplateTests({ children }: { children: (open: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
      {isOpen && <TemplateDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function TemplateDialog({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState(TEMPLATES[0]?.key);
  const { add, progress } = useAddTemplateTests();
  const template = TEMPLATES.find((one) => one.key === key);
  return (
    <FormDialog
      title="Tests of a template"
      action="Add"
      isBusy={add.isPending}
      isDisabled={!template}
      onSubmit={() => template && add.mutate(template, { onSuccess: onClose })}
      onClose={onClose}
      note={progress && <p role="status">{`Adding ${progress.done + 1} of ${progress.of}…`}</p>}
    >
      <p>
        Each template has scenarios of its own. They become a suite with its name; scenarios and suites that you have
        stay as they are.
      </p>
      <Field label="Template">
        <select value={key} onChange={({ target }) => setKey(target.value)}>
          {TEMPLATES.map((one) => (
            <option key={one.key} value={one.key}>
              {one.name}
            </option>
          ))}
        </select>
      </Field>
      <Problem>{add.error && messageOf(add.error)}</Problem>
    </FormDialog>
  );
}
