import { useId } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useField } from './form.ts';

interface Props<Value extends string> {
  path: Path;
  names: Record<Value, string>;
  /** A sentence on each value, in the order in which they are shown. */
  meanings: Record<Value, string>;
  /** The value of a configuration without one. */
  usual: Value;
}

/** One value of a few, each with its meaning. */
export function Radios<Value extends string>({ path, names, meanings, usual }: Props<Value>) {
  const { label, value = usual, problem, change } = useField(path);
  const name = useId();
  return (
    <fieldset className="radios">
      <legend className="label">{label}</legend>
      {(Object.keys(meanings) as Value[]).map((choice) => (
        <label key={choice}>
          <input type="radio" name={name} checked={value === choice} onChange={() => change(choice)} />
          <span>
            {names[choice]}
            <span className="hint">{meanings[choice]}</span>
          </span>
        </label>
      ))}
      <Problem>{problem}</Problem>
    </fieldset>
  );
}
