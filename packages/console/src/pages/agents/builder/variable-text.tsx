import { useRef } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { Field } from '../../../ui/field.tsx';
import { useField } from './form.ts';
import { VariableChips } from './variable-chips.tsx';

interface Props {
  path: Path;
  hint?: string;
  placeholder?: string;
}

/** A text in which variables of the call stand, and are inserted with a click. */
export function VariableText({ path, hint, placeholder }: Props) {
  const { label, value, schema, problem, change } = useField(path);
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (text: string) => {
    const { current } = area;
    if (!current) return;
    current.setRangeText(text, current.selectionStart, current.selectionEnd, 'end');
    current.focus();
    change(current.value);
  };
  return (
    <div className="form tight">
      <Field label={label} hint={hint} error={problem}>
        <textarea
          ref={area}
          className="growing"
          rows={2}
          value={typeof value === 'string' ? value : ''}
          placeholder={placeholder}
          maxLength={schema.maxLength}
          onChange={({ target }) => change(target.value || undefined)}
        />
      </Field>
      <VariableChips of={label} onInsert={insert} />
    </div>
  );
}
