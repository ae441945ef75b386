import type { DialPreset } from '@switchboard/client';
import { useState } from 'react';
import { isSameRules } from '../../data/rule-shape.ts';
import { ConfirmLoss } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import type { PolicyDraft } from './use-policy-draft.ts';

/** The choice of rules that are in no preset. */
const OWN = ' own';

/** Begins with the rules of a preset, or with none. Rules of one's own are not replaced without asking. */
export function PresetChoice({ presets, draft: { rules, setRules } }: { presets: DialPreset[]; draft: PolicyDraft }) {
  const [begun, setBegun] = useState<string | null>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const isSame = (name: string) => rules !== null && isSameRules(rules, rulesOf(name));
  const rulesOf = (name: string) => presets.find((one) => one.name === name)?.rules ?? {};
  const chosen = ['', ...presets.map(({ name }) => name)].find(isSame) ?? OWN;
  const preset = presets.find(({ name }) => name === (chosen === OWN ? begun : chosen));
  const begin = (name: string) => {
    setBegun(name);
    setRules(rulesOf(name));
  };
  return (
    <div className="form">
      <Field label="Begin with">
        <select
          value={chosen}
          onChange={({ target }) => (chosen === OWN ? setWanted(target.value) : begin(target.value))}
        >
          {chosen === OWN && <option value={OWN}>Rules of your own</option>}
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
            <strong>This is not legal advice.</strong>{' '}
            {`The rules were noted on ${preset.date}. Read their sources, and what has changed since, before you rely on them.`}
          </span>
        </p>
      )}
      {wanted !== null && (
        <ConfirmLoss
          title="Replace the rules?"
          text="Those that are here now are not saved, and are lost."
          action="Replace them"
          onConfirm={() => begin(wanted)}
          onClose={() => setWanted(null)}
        />
      )}
    </div>
  );
}
