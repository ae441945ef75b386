import { useId } from 'react';

interface Props {
  label: string;
  weight: number;
  onChange: (weight: number) => void;
  /** The version that the other calls get. */
  current: number;
}

/** How many of a hundred calls get a version. */
export function ShareSlider({ label, weight, onChange, current }: Props) {
  const id = useId();
  const meaning =
    weight >= 100
      ? 'Every call that begins from now on.'
      : `Of 100 calls ${weight} get it, and ${100 - weight} get version ${current}. The same phone number always gets the same one.`;
  return (
    <div className="slider">
      <div className="slider-head">
        <label className="label" htmlFor={id}>
          {label}
        </label>
        <output className="number" htmlFor={id}>
          {weight} %
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={1}
        max={100}
        value={weight}
        aria-valuetext={`${weight} %: ${meaning}`}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <p className="hint">{meaning}</p>
    </div>
  );
}
