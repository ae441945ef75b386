import { Field } from '../../ui/field.tsx';

interface Props {
  /** The variables in the agent's texts. */
  names: string[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** A field for each variable of a call. */
export function VariableFields({ names, values, onChange }: Props) {
  return names.map((name) => (
    <Field key={name} label={name} hint="A variable of the agent’s texts.">
      <input
        value={values[name] ?? ''}
        maxLength={1000}
        onChange={({ target }) => onChange({ ...values, [name]: target.value })}
      />
    </Field>
  ));
}
