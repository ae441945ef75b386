import type { Agent, CampaignCreate } from '@switchboard/client';
import { useState } from 'react';
import { gapText } from '../../data/dial-rules.ts';
import { instantOf, localTime } from '../../data/local-time.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useVersions } from '../../data/versions.ts';
import { CheckGroup } from '../../ui/check-group.tsx';
import { Field } from '../../ui/field.tsx';
import { Percentage, WholeNumber } from '../../ui/required-number.tsx';
import type { FieldProps } from './campaign-fields.tsx';
import { ReachedFields, RetryFields } from './campaign-results.tsx';

interface Props extends FieldProps {
  agents: Agent[];
  /** While it runs, only its end and its circuit may be changed. */
  isFixed: boolean;
}

/** Fields that most campaigns leave as they are. */
export function MoreFields({ fields, set, agents, isFixed }: Props) {
  const [isOpen, setOpen] = useState(false);
  const parts = ['its end', 'failing calls'];
  if (!isFixed) parts.unshift('who is reached', 'who is called again', 'caller IDs');
  return (
    <details className="advanced" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{`More: ${parts.join(', ')}`}</summary>
      {isOpen && (
        <div className="form">
          {!isFixed && (
            <>
              <ReachedFields fields={fields} set={set} />
              <RetryFields fields={fields} set={set} />
              {fields.agent_id && <VersionField fields={fields} set={set} />}
              <CallerFields fields={fields} set={set} agents={agents} />
            </>
          )}
          <ExpiryField fields={fields} set={set} />
          <CircuitFields fields={fields} set={set} />
        </div>
      )}
    </details>
  );
}

/** The version of the agent that calls. */
function VersionField({ fields: { agent_id, agent_version: chosen = null }, set }: FieldProps) {
  const versions = useVersions(agent_id).data?.pages.flatMap(({ items }) => items) ?? [];
  const isListed = chosen === null || versions.some(({ number }) => number === chosen);
  return (
    <Field label="Version of the agent">
      <select
        value={chosen ?? ''}
        onChange={({ target }) => set({ agent_version: target.value === '' ? null : Number(target.value) })}
      >
        <option value="">The released version</option>
        {!isListed && <option value={chosen}>{`Version ${chosen}`}</option>}
        {versions.map(({ number, note }) => (
          <option key={number} value={number}>
            {note ? `Version ${number}: ${note}` : `Version ${number}`}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** The numbers that people see. */
function CallerFields({ fields: { from_numbers = [] }, set, agents }: FieldProps & { agents: Agent[] }) {
  const own = agents.flatMap(({ phone_number }) => phone_number ?? []);
  const numbers = [...new Set([...own, ...from_numbers])];
  return (
    <CheckGroup
      label="Caller IDs"
      hint={
        numbers.length > 0
          ? 'Each person always sees the same one. With none, the agent’s own number.'
          : 'None of your agents has a number: people see what your carrier sends.'
      }
      names={numbers}
      labelOf={(number) => (own.includes(number) ? formatNumber(number) : `${formatNumber(number)}, no longer yours`)}
      chosen={from_numbers}
      onChange={(next) => set({ from_numbers: next })}
    />
  );
}

/** The moment from which on nobody is dialled. */
function ExpiryField({ fields: { expires_at }, set }: FieldProps) {
  const [text, setText] = useState(expires_at ? localTime(new Date(expires_at)) : '');
  const change = (next: string) => {
    setText(next);
    set({ expires_at: instantOf(next) });
  };
  return (
    <Field label="Ends at" hint="In your time zone. Nobody is called after that. Empty: no end.">
      <input type="datetime-local" value={text} onChange={({ target }) => change(target.value)} />
    </Field>
  );
}

const USUAL_CIRCUIT = { failure_rate: 0.5, window_s: 300, min_calls: 20 };
const WINDOWS = [60, 300, 900, 3_600, 86_400];

/** When it waits because calls fail: of the trunk, the workers or the service, not because of the people. */
function CircuitFields({ fields: { circuit }, set }: FieldProps) {
  const toggle = (isOn: boolean) => set({ circuit: isOn ? USUAL_CIRCUIT : null });
  return (
    <div className="form tight">
      <label className="check">
        <input type="checkbox" checked={Boolean(circuit)} onChange={({ target }) => toggle(target.checked)} />
        Wait while too many calls fail
      </label>
      <p className="hint">Failed, interrupted, or without an agent. It goes on by itself once fewer do.</p>
      {circuit && <CircuitNumbers circuit={circuit} onChange={(next) => set({ circuit: next })} />}
    </div>
  );
}

type Circuit = NonNullable<CampaignCreate['circuit']>;

function CircuitNumbers({ circuit, onChange }: { circuit: Circuit; onChange: (circuit: Circuit) => void }) {
  const { failure_rate, window_s, min_calls } = circuit;
  const windows = WINDOWS.includes(window_s) ? WINDOWS : [...WINDOWS, window_s].sort((a, b) => a - b);
  return (
    <div className="field-row">
      <Field label="Failing calls, in %">
        <Percentage value={failure_rate} onChange={(next) => onChange({ ...circuit, failure_rate: next })} />
      </Field>
      <Field label="Of those that ended in the last">
        <select value={window_s} onChange={({ target }) => onChange({ ...circuit, window_s: Number(target.value) })}>
          {windows.map((one) => (
            <option key={one} value={one}>
              {gapText(one)}
            </option>
          ))}
        </select>
      </Field>
      <Field label="Once there are at least">
        <WholeNumber max={1_000} value={min_calls} onChange={(next) => onChange({ ...circuit, min_calls: next })} />
      </Field>
    </div>
  );
}
