import { useId } from 'react';
import type { Path } from '../../../data/config-paths.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useField } from './form.ts';

interface Props {
  path: Path;
  /** Range of the slider; a value beyond it, as the JSON allows, widens it. */
  range: readonly [min: number, max: number, step: number];
  /** Used by workers for no value. */
  usual: number;
  format: (value: number) => string;
  /** Effect of a value, in plain words. */
  meaning: (value: number) => string;
}

/** A number as a slider, with the meaning of its value. */
export function Slider({ path, range: [min, max, step], usual, format, meaning }: Props) {
  const { label, value, schema, problem, change } = useField(path);
  const id = useId();
  const isSet = typeof value === 'number';
  const shown = isSet ? value : usual;
  return (
    <div className="slider">
      <div className="slider-head">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        <output className="number" htmlFor={id}>
          {format(shown)}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={Math.max(schema.minimum ?? min, Math.min(min, shown))}
        max={Math.min(schema.maximum ?? max, Math.max(max, shown))}
        step={step}
        value={shown}
        aria-valuetext={`${format(shown)}: ${meaning(shown)}`}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
      <p className="hint slider-meaning">
        <span>{meaning(shown)}</span>
        {isSet ? (
          <button type="button" className="link" onClick={() => change(undefined)}>
            Usual value ({format(usual)})
          </button>
        ) : (
          <span>Usual value</span>
        )}
      </p>
      <Problem>{problem}</Problem>
    </div>
  );
}
