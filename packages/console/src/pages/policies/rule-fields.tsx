import type { AttemptLimit, ConsentRule, DialHoliday, DialWindow, Purpose } from '@switchboard/client';
import { DAYS, PURPOSES } from '../../data/dial-rules.ts';
import { PlaceFields } from './place-fields.tsx';

interface Props<Rule> {
  rule: Rule;
  onChange: (rule: Rule) => void;
}

/** Every half hour of a day, its end included. */
const TIMES = Array.from(
  { length: 49 },
  (_, half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}`,
);

/** Days and hours at which phones may ring. */
export function WindowFields({ rule, onChange }: Props<DialWindow>) {
  const toggle = (day: DialWindow['days'][number]) =>
    onChange({ ...rule, days: DAYS.filter((one) => (one === day) !== rule.days.includes(one)) });
  return (
    <>
      <span className="day-choice">
        {DAYS.map((day) => (
          <label key={day} className="day-chip">
            <input type="checkbox" checked={rule.days.includes(day)} onChange={() => toggle(day)} />
            {`${day.charAt(0).toUpperCase()}${day.charAt(1)}`}
          </label>
        ))}
      </span>
      <TimeChoice label="From" value={rule.from} onChange={(from) => onChange({ ...rule, from })} />
      <TimeChoice label="To" value={rule.to} onChange={(to) => onChange({ ...rule, to })} />
      <PlaceFields rule={rule} onChange={onChange} />
      <PurposeChoice rule={rule} onChange={onChange} />
      <SourceField rule={rule} onChange={onChange} />
    </>
  );
}

function TimeChoice({ label, value, onChange }: { label: string; value: string; onChange: (time: string) => void }) {
  const times = TIMES.includes(value) ? TIMES : [...TIMES, value].sort();
  return (
    <label className="inline-field">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {times.map((time) => (
          <option key={time}>{time}</option>
        ))}
      </select>
    </label>
  );
}

/** One purpose, or all. Rules for two of the three are kept, and shown as such. */
function PurposeChoice<Rule extends { purposes?: Purpose[] }>({ rule, onChange }: Props<Rule>) {
  const { purposes, ...rest } = rule;
  const value = purposes?.join(' or ') ?? '';
  const change = (next: string) => onChange((next ? { ...rest, purposes: next.split(' or ') } : rest) as Rule);
  const options = value && purposes && purposes.length > 1 ? [...PURPOSES, value] : PURPOSES;
  return (
    <label className="inline-field">
      <span>Calls for</span>
      <select value={value} onChange={({ target }) => change(target.value)}>
        <option value="">anything</option>
        {options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

function SourceField<Rule extends { source?: string }>({ rule, onChange }: Props<Rule>) {
  const { source = '', ...rest } = rule;
  return (
    <label className="inline-field grow">
      <span>Source</span>
      <input
        value={source}
        maxLength={500}
        placeholder="The law, or the page, that it comes from"
        onChange={({ target }) => onChange((target.value ? { ...rest, source: target.value } : rest) as Rule)}
      />
    </label>
  );
}

/** How many calls a number gets in a period. */
export function LimitFields({ rule, onChange }: Props<AttemptLimit>) {
  return (
    <>
      <NumberField
        label="At most"
        unit="calls"
        value={rule.count}
        max={100}
        onChange={(count) => onChange({ ...rule, count } as AttemptLimit)}
      />
      <NumberField
        label="within"
        unit="days"
        value={rule.days}
        max={30}
        onChange={(days) => onChange({ ...rule, days } as AttemptLimit)}
      />
      <PlaceFields rule={rule} onChange={onChange} />
      <PurposeChoice rule={rule} onChange={onChange} />
      <SourceField rule={rule} onChange={onChange} />
    </>
  );
}

interface NumberProps {
  label: string;
  unit: string;
  /** Absent while it is being typed. */
  value: number | undefined;
  max: number;
  onChange: (value: number | undefined) => void;
}

function NumberField({ label, unit, value, max, onChange }: NumberProps) {
  return (
    <label className="inline-field">
      <span>{label}</span>
      <input
        type="number"
        className="number-field"
        value={value ?? ''}
        min={1}
        max={max}
        required
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
      />
      <span>{unit}</span>
    </label>
  );
}

/** A purpose for which there must be a consent. */
export function ConsentFields({ rule, onChange }: Props<ConsentRule>) {
  return (
    <>
      <label className="inline-field">
        <span>Calls for</span>
        <select value={rule.purpose} onChange={({ target }) => onChange({ ...rule, purpose: target.value as Purpose })}>
          {PURPOSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <PlaceFields rule={rule} onChange={onChange} />
      <SourceField rule={rule} onChange={onChange} />
    </>
  );
}

/** A day without calls, of one year or of every year. */
export function HolidayFields({ rule, onChange }: Props<DialHoliday>) {
  return (
    <>
      <label className="inline-field">
        <span>Day</span>
        <input
          className="date-field"
          value={rule.date}
          placeholder="12-25 or 2027-04-02"
          pattern="(\d{4}-)?\d{2}-\d{2}"
          required
          onChange={({ target }) => onChange({ ...rule, date: target.value })}
        />
      </label>
      <label className="inline-field">
        <span>Name</span>
        <input
          value={rule.name ?? ''}
          maxLength={100}
          onChange={({ target }) => onChange({ ...rule, name: target.value })}
        />
      </label>
      <PlaceFields rule={rule} onChange={onChange} />
      <PurposeChoice rule={rule} onChange={onChange} />
    </>
  );
}
