import type { DialRules } from '@switchboard/client';
import { percentOf, rateOf } from '../../data/dial-rules.ts';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';

interface Props {
  rules: DialRules;
  set: (change: Partial<DialRules>) => void;
}

/** How many calls of a campaign people may answer before an agent is there. */
export function AbandonedFields({ rules, set }: Props) {
  const { max_abandoned_rate: rate = null, abandoned_after_s, abandoned_days } = rules;
  return (
    <Section title="Abandoned calls">
      <p className="muted">
        For campaigns: a call is abandoned if a person answers and no agent is there in time. While there are too many,
        the campaign dials nobody.
      </p>
      <div className="field-row">
        <Field label="At most, in %" hint="Of the calls that people answer. Empty: any number.">
          <OptionalNumber
            value={rate === null ? null : percentOf(rate)}
            min={0}
            max={100}
            step="any"
            onChange={(percent) => set({ max_abandoned_rate: percent === null ? null : rateOf(percent) })}
          />
        </Field>
        <Field label="Seconds to wait for an agent" hint="Empty: 2.">
          <OptionalNumber
            value={abandoned_after_s}
            min={1}
            max={60}
            onChange={(seconds) => set({ abandoned_after_s: seconds })}
          />
        </Field>
        <Field label="Counted over days" hint="By UTC, today included. Empty: 30.">
          <OptionalNumber value={abandoned_days} min={1} max={30} onChange={(days) => set({ abandoned_days: days })} />
        </Field>
      </div>
      {rate === null && Boolean(abandoned_after_s ?? abandoned_days) && (
        <p className="hint">Without a limit in %, the other two have no effect.</p>
      )}
    </Section>
  );
}

interface NumberProps {
  value: number | null | undefined;
  min: number;
  max: number;
  /** Whole numbers by default. */
  step?: 'any';
  onChange: (value: number | null) => void;
}

/** A number, or none while the field is empty. */
function OptionalNumber({ value, onChange, ...limits }: NumberProps) {
  return (
    <input
      type="number"
      value={value ?? ''}
      {...limits}
      onChange={({ target }) => onChange(target.value === '' ? null : target.valueAsNumber)}
    />
  );
}
