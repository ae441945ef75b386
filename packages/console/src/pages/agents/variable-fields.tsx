import { Field } from '../../ui/field.tsx';

interface Props {
  /** The variables in the agent's texts. */
  names: string[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** A field for each variable of a call. */
export function VariableFields({ names, values, onChange }: Props) {
  if (names.length === 0) return null;
  return (
    <>
      <p className="hint">Variables of the agent’s texts.</p>
      {names.map((name) => (
        <Field key={name} label={name}>
          <input
            value={values[name] ?? ''}
            maxLength={1000}
            onChange={({ target }) => onChange({ ...values, [name]: target.value })}
          />
        </Field>
      ))}
    </>
  );
}
