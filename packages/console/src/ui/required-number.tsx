import { type ChangeEvent, useState } from 'react';
import { percentOf, rateOf } from '../data/dial-rules.ts';

interface ValueProps {
  value: number;
  onChange: (value: number) => void;
}

interface NumberProps extends ValueProps {
  min: number;
  max: number;
  step: number | 'any';
}

/** A whole number of at least one. */
export function WholeNumber(props: ValueProps & { max: number }) {
  return <RequiredNumber min={1} step={1} {...props} />;
}

/** A share of one, in percent. */
export function Percentage({ value, onChange }: ValueProps) {
  const change = (percent: number) => onChange(rateOf(percent));
  return <RequiredNumber min={0} max={100} step="any" value={percentOf(value)} onChange={change} />;
}

/** A number. While the field is empty, the form cannot be sent, and the number stays. */
function RequiredNumber({ value, onChange, ...limits }: NumberProps) {
  const [text, setText] = useState(String(value));
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setText(target.value);
    if (target.value !== '') onChange(target.valueAsNumber);
  };
  return <input type="number" {...limits} value={text} onChange={change} required />;
}
