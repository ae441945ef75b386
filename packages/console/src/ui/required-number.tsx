import { type ChangeEvent, useState } from 'react';

interface NumberProps {
  /** 1 by default. */
  min?: number;
  max: number;
  value: number;
  onChange: (value: number) => void;
}

/** A whole number. While the field is empty, the form cannot be sent, and the number stays. */
export function WholeNumber({ min = 1, max, value, onChange }: NumberProps) {
  const [text, setText] = useState(String(value));
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setText(target.value);
    if (target.value !== '') onChange(target.valueAsNumber);
  };
  return <input type="number" min={min} max={max} value={text} onChange={change} required />;
}
