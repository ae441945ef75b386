import type { DialPreset, DialRules } from '@switchboard/client';
import { useState } from 'react';
import { Field } from '../../ui/field.tsx';

/** Begins with the rules of a preset, or with none. */
export function PresetChoice({ presets, onChoose }: { presets: DialPreset[]; onChoose: (rules: DialRules) => void }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const preset = presets.find(({ name }) => name === chosen);
  const choose = (name: string) => {
    setChosen(name);
    onChoose(presets.find((one) => one.name === name)?.rules ?? {});
  };
  return (
    <>
      <Field label="Begin with">
        <select value={chosen ?? ''} onChange={({ target }) => choose(target.value)}>
          <option value="">No rules</option>
          {presets.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      {preset && (
        <p className="notice">
          <span>
            <strong>This is no legal advice.</strong>{' '}
            {`The rules were noted on ${preset.date}. Read their sources, and what has changed since, before you rely on them.`}
          </span>
        </p>
      )}
    </>
  );
}
