import { useId } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { useField } from './form.ts';

interface Props<Value extends string> {
  path: Path;
  /** Values with their names and meanings. */
  choices: readonly (readonly [value: Value, name: string, meaning: string])[];
  /** The value of a configuration without one. */
  usual: Value;
}

/** One value of a few, each with its meaning. */
export function Radios<Value extends string>({ path, choices, usual }: Props<Value>) {
  const { label, value = usual, problem, change } = useField(path);
  const name = useId();
  return (
    <fieldset className="radios">
      <legend className="label">{label}</legend>
      {choices.map(([choice, title, meaning]) => (
        <label key={choice}>
          <input type="radio" name={name} checked={value === choice} onChange={() => change(choice)} />
          <span>
            {title}
            <span className="hint">{meaning}</span>
          </span>
        </label>
      ))}
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
