import type { DialRules, DialWindow } from '@switchboard/client';
import { gapText } from '../../data/dial-rules.ts';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { AbandonedFields } from './abandoned-fields.tsx';
import { ConsentFields, HolidayFields, LimitFields, WindowFields } from './rule-fields.tsx';
import { RuleRows } from './rule-rows.tsx';
import { WeekByPlace } from './week-by-place.tsx';

const OFFICE: DialWindow = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '18:00' };
const GAPS = [900, 3_600, 14_400, 86_400, 259_200, 604_800];

/** The rules of a policy, with the week that their windows make. */
export function RuleForm({ rules, onChange }: { rules: DialRules; onChange: (rules: DialRules) => void }) {
  const set = (change: Partial<DialRules>) => onChange({ ...rules, ...change });
  const { windows = [], max_attempts = [], requires_consent = [], holidays = [] } = rules;
  return (
    <>
      <RuleRows
        title="Hours"
        label="Hours"
        none="Phones may ring at any time."
        rules={windows}
        fresh={windows.at(-1) ?? OFFICE}
        row={(rule, change) => <WindowFields rule={rule} onChange={change} />}
        onChange={(next) => set({ windows: next })}
      />
      <WeekByPlace rules={rules} />
      <UnknownZone rules={rules} set={set} />
      <RuleRows
        title="Days without calls"
        label="Day"
        none="None."
        rules={holidays}
        fresh={{ date: '' }}
        row={(rule, change) => <HolidayFields rule={rule} onChange={change} />}
        onChange={(next) => set({ holidays: next })}
      />
      <RuleRows
        title="Attempts"
        label="Limit"
        none="A number may be called any number of times."
        rules={max_attempts}
        fresh={{ count: 3, days: 7 }}
        row={(rule, change) => <LimitFields rule={rule} onChange={change} />}
        onChange={(next) => set({ max_attempts: next })}
      />
      <Gap rules={rules} set={set} />
      <RuleRows
        title="Consent"
        label="Purpose"
        none="No call needs a consent."
        rules={requires_consent}
        fresh={{ purpose: 'marketing' }}
        row={(rule, change) => <ConsentFields rule={rule} onChange={change} />}
        onChange={(next) => set({ requires_consent: next })}
      />
      <AbandonedFields rules={rules} set={set} />
    </>
  );
}

interface PartProps {
  rules: DialRules;
  set: (change: Partial<DialRules>) => void;
}

function UnknownZone({ rules: { unknown_zone = 'strictest' }, set }: PartProps) {
  return (
    <Field label="If it is not certain where somebody is">
      <select value={unknown_zone} onChange={({ target }) => set({ unknown_zone: target.value as 'strictest' })}>
        <option value="strictest">Call when it is allowed in all places that are possible</option>
        <option value="deny">Do not call</option>
      </select>
    </Field>
  );
}

function Gap({ rules: { min_gap_s }, set }: PartProps) {
  const gaps = min_gap_s && !GAPS.includes(min_gap_s) ? [...GAPS, min_gap_s].sort((a, b) => a - b) : GAPS;
  return (
    <Section title="Pause">
      <Field label="Between two calls to a number">
        <select value={min_gap_s ?? ''} onChange={({ target }) => set({ min_gap_s: Number(target.value) || null })}>
          <option value="">None</option>
          {gaps.map((gap) => (
            <option key={gap} value={gap}>
              {`At least ${gapText(gap)}`}
            </option>
          ))}
        </select>
      </Field>
    </Section>
  );
}
