import { type ReactNode, useId } from 'react';

interface Props<Name extends string> {
  label: string;
  hint?: string;
  /** All that can be chosen, in the order in which they are shown. */
  names: readonly Name[];
  labelOf: (name: Name) => ReactNode;
  chosen: readonly Name[];
  isDisabled?: boolean;
  /** Keeps the last one from being taken away. */
  needsOne?: boolean;
  onChange: (chosen: Name[]) => void;
}

/** Any of a few names. */
export function CheckGroup<Name extends string>(props: Props<Name>) {
  const { label, hint, names, labelOf, chosen, isDisabled = false, needsOne = false, onChange } = props;
  const id = useId();
  const toggle = (name: Name) => onChange(names.filter((one) => (one === name) !== chosen.includes(one)));
  return (
    <fieldset className="checks" disabled={isDisabled} {...(hint && { 'aria-describedby': id })}>
      <legend className="label">{label}</legend>
      {names.length > 0 && (
        <div className="check-grid">
          {names.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                disabled={needsOne && chosen.length === 1 && chosen.includes(name)}
                onChange={() => toggle(name)}
              />
              {labelOf(name)}
            </label>
          ))}
        </div>
      )}
      {hint && (
        <p className="hint" id={id}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
