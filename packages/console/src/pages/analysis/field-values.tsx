import { useState } from 'react';
import { choicesOf, type ExtractorField, textsOf, withWord } from '../../data/extractor-content.ts';
import { Field } from '../../ui/field.tsx';

interface Props {
  field: ExtractorField;
  onChange: (schema: unknown) => void;
}

/** The values that an answer can have, by its type. */
export function AnswerValues({ field: { answer, schema }, onChange }: Props) {
  const { enum: choices, items } = (schema ?? {}) as { enum?: unknown; items?: { enum?: unknown } };
  if (answer === 'choice')
    return (
      <Choices
        label="Values, one a line"
        hint="The model chooses one of them, and no other."
        value={choices}
        onChange={(list) => onChange(withWord(schema, 'enum', list))}
      />
    );
  if (answer === 'array')
    return (
      <Choices
        label="Values that may be in the list, one a line"
        hint="Empty: any short texts."
        value={items?.enum ?? []}
        onChange={(list) =>
          onChange(withWord(schema, 'items', withWord(items, 'enum', list.length > 0 ? list : undefined)))
        }
      />
    );
  if (answer === 'number' || answer === 'integer')
    return (
      <div className="columns narrow">
        <Bound label="Least" word="minimum" schema={schema} onChange={onChange} />
        <Bound label="Most" word="maximum" schema={schema} onChange={onChange} />
      </div>
    );
  return null;
}

interface ChoicesProps {
  label: string;
  hint: string;
  value: unknown;
  onChange: (choices: string[]) => void;
}

/** Choices as lines. What is typed stays as it is while it means the same. */
function Choices({ label, hint, value, onChange }: ChoicesProps) {
  const list = textsOf(value);
  const [typed, setTyped] = useState(list?.join('\n') ?? '');
  if (list === null) return <p className="muted">Its values are not plain texts: change them in the JSON.</p>;
  const isSame = JSON.stringify(choicesOf(typed)) === JSON.stringify(list);
  return (
    <Field label={label} hint={hint}>
      <textarea
        className="growing"
        rows={3}
        value={isSame ? typed : list.join('\n')}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(choicesOf(target.value));
        }}
      />
    </Field>
  );
}

interface BoundProps {
  label: string;
  word: 'minimum' | 'maximum';
  schema: unknown;
  onChange: (schema: unknown) => void;
}

function Bound({ label, word, schema, onChange }: BoundProps) {
  const value = (schema as Record<string, unknown>)[word];
  const set = (number: number) => onChange(withWord(schema, word, Number.isFinite(number) ? number : undefined));
  return (
    <Field label={label}>
      <input
        type="number"
        step="any"
        placeholder="Any"
        value={typeof value === 'number' ? value : ''}
        onChange={({ target }) => set(target.valueAsNumber)}
      />
    </Field>
  );
}
