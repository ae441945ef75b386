import type { Path } from '../../../data/config-paths.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useField, useProblems } from './form.ts';

interface Props<Value extends string> {
  path: Path;
  names: Record<Value, string>;
  /** A sentence on each value, in the order in which they are shown. */
  meanings: Record<Value, string>;
  /** The values of a configuration without them. */
  unset?: 'all' | 'none';
}

/** Any of a few values, each with its meaning. */
export function Choices<Value extends string>({ path, names, meanings, unset = 'all' }: Props<Value>) {
  const { label, value, change } = useField(path);
  const problems = useProblems(path);
  const all = Object.keys(meanings) as Value[];
  const usual = unset === 'all' ? all : [];
  const chosen: unknown[] = Array.isArray(value) ? value : usual;
  const choose = (choice: Value, isOn: boolean) => {
    // Values that are not shown stay.
    const others = chosen.filter((one) => !all.includes(one as Value));
    const next = [...all.filter((one) => (one === choice ? isOn : chosen.includes(one))), ...others];
    change(next.length === usual.length && others.length === 0 ? undefined : next);
  };
  return (
    <fieldset className="radios">
      <legend className="label">{label}</legend>
      {all.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={({ target }) => choose(choice, target.checked)}
          />
          <span>
            {names[choice]}
            <span className="hint">{meanings[choice]}</span>
          </span>
        </label>
      ))}
      {problems.map((msg) => (
        <Problem key={msg}>{msg}</Problem>
      ))}
    </fieldset>
  );
}
