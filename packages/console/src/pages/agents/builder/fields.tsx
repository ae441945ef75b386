import { type ReactNode, useId } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { Field } from '../../../ui/field.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useField } from './form.ts';

interface Props {
  path: Path;
  hint?: ReactNode;
}

interface TextProps extends Props {
  placeholder?: string;
  type?: 'text' | 'tel' | 'url';
  /** Values that are offered while typing; others are accepted. */
  suggestions?: readonly string[];
}

/** A line of text. An empty one is left out of the configuration. */
export function TextField({ path, hint, placeholder, type = 'text', suggestions }: TextProps) {
  const { label, value, schema, problem, change } = useField(path);
  const id = useId();
  return (
    <Field label={label} hint={hint} error={problem}>
      <input
        type={type}
        value={textOf(value)}
        placeholder={placeholder}
        maxLength={schema.maxLength}
        list={suggestions && id}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => change(target.value || undefined)}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </Field>
  );
}

/** Several lines of text. */
export function LongTextField({ path, hint, placeholder }: Omit<TextProps, 'suggestions' | 'type'>) {
  const { label, value, schema, problem, change } = useField(path);
  return (
    <Field label={label} hint={hint} error={problem}>
      <textarea
        className="growing"
        rows={2}
        value={textOf(value)}
        placeholder={placeholder}
        maxLength={schema.maxLength}
        onChange={({ target }) => change(target.value || undefined)}
      />
    </Field>
  );
}

/** A number. An empty field is left out of the configuration. */
export function NumberField({ path, hint, placeholder }: Omit<TextProps, 'suggestions' | 'type'>) {
  const { label, value, schema, problem, change } = useField(path);
  return (
    <Field label={label} hint={hint} error={problem}>
      <input
        type="number"
        value={typeof value === 'number' ? value : ''}
        min={schema.minimum}
        max={schema.maximum}
        step="any"
        placeholder={placeholder ?? (schema.default === undefined ? undefined : String(schema.default))}
        onChange={({ target }) => change(target.value === '' ? undefined : target.valueAsNumber)}
      />
    </Field>
  );
}

interface ChoiceProps extends Props {
  /** Labels by value; values without a label are shown as they are. */
  labels?: Record<string, string>;
  /** Shown for no value. */
  unset: string;
}

/** One of the values in the schema. */
export function ChoiceField({ path, hint, labels = {}, unset }: ChoiceProps) {
  const { label, value, schema, problem, change } = useField(path);
  const values = schema.enum ?? [];
  const all = typeof value === 'string' && !values.includes(value) ? [...values, value] : values;
  return (
    <Field label={label} hint={hint} error={problem}>
      <select value={textOf(value)} onChange={({ target }) => change(target.value || undefined)}>
        <option value="">{unset}</option>
        {all.map((one) => (
          <option key={one} value={one}>
            {labels[one] ?? one}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Yes or no. The schema's default is left out of the configuration. */
export function SwitchField({ path, hint }: Props) {
  const { label, value, schema, problem, change } = useField(path);
  const isOn = typeof value === 'boolean' ? value : schema.default === true;
  return (
    <SwitchRow
      label={label}
      hint={hint}
      error={problem}
      isOn={isOn}
      onChange={(next) => change(next === (schema.default === true) ? undefined : next)}
    />
  );
}

interface RowProps extends Omit<Props, 'path'> {
  label: string;
  error?: string | null;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A checkbox with an explanation. */
export function SwitchRow({ label, hint, error, isOn, onChange }: RowProps) {
  return (
    <div className="field">
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
        <span className="label">{label}</span>
      </label>
      {hint && <p className="hint check-hint">{hint}</p>}
      <Problem>{error}</Problem>
    </div>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
