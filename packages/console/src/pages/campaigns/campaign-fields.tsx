import type { Agent, CampaignCreate, Purpose } from '@switchboard/client';
import { gapText, PURPOSES } from '../../data/dial-rules.ts';
import { usePolicies } from '../../data/policies.ts';
import { Field } from '../../ui/field.tsx';
import { Percentage, WholeNumber } from '../../ui/required-number.tsx';

export interface FieldProps {
  fields: CampaignCreate;
  set: (change: Partial<CampaignCreate>) => void;
}

/** The agent that calls, and the rules that it keeps. */
export function PersonFields({ fields, set, agents }: FieldProps & { agents: Agent[] }) {
  const policies = usePolicies().data?.policies;
  return (
    <>
      <Field label="Agent">
        <select value={fields.agent_id} onChange={({ target }) => set({ agent_id: target.value, agent_version: null })}>
          {!agents.some(({ id }) => id === fields.agent_id) && <option value={fields.agent_id}>A deleted agent</option>}
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <div className="field-row">
        <Field label="Calls for">
          <select
            value={fields.purpose ?? 'marketing'}
            onChange={({ target }) => set({ purpose: target.value as Purpose })}
          >
            {PURPOSES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label="Policy">
          <select value={fields.policy ?? ''} onChange={({ target }) => set({ policy: target.value || null })}>
            <option value="">As the agent says</option>
            {fields.policy && policies && !policies.some(({ name }) => name === fields.policy) && (
              <option value={fields.policy}>{`${fields.policy} (does not exist)`}</option>
            )}
            {policies?.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
      </div>
    </>
  );
}

const DELAYS = [60, 600, 1_800, 3_600, 14_400, 86_400];

/** How often somebody is tried who was not reached. */
export function AttemptFields({ fields: { retries = {} }, set }: FieldProps) {
  const { attempts = 1, delays_s = [3_600] } = retries;
  const [delay = 3_600, ...others] = delays_s;
  const delays = DELAYS.includes(delay) ? DELAYS : [...DELAYS, delay].sort((a, b) => a - b);
  return (
    <div className="field-row">
      <Field label="Attempts for each person">
        <WholeNumber max={10} value={attempts} onChange={(next) => set({ retries: { ...retries, attempts: next } })} />
      </Field>
      <Field label="Between two of them" {...(others.length > 0 && { hint: 'And longer after later ones.' })}>
        <select
          value={delay}
          disabled={attempts === 1}
          onChange={({ target }) => set({ retries: { ...retries, delays_s: [Number(target.value), ...others] } })}
        >
          {delays.map((one) => (
            <option key={one} value={one}>
              {gapText(one)}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

/** How fast it goes. */
export function PaceFields({ fields: { pacing = {} }, set }: FieldProps) {
  const { max_concurrent = 10, per_minute = 60, reserve_for_others = 0.2 } = pacing;
  return (
    <>
      <div className="field-row">
        <Field label="Calls at the same time">
          <WholeNumber
            max={1000}
            value={max_concurrent}
            onChange={(next) => set({ pacing: { ...pacing, max_concurrent: next } })}
          />
        </Field>
        <Field label="Calls a minute">
          <WholeNumber
            max={60_000}
            value={per_minute}
            onChange={(next) => set({ pacing: { ...pacing, per_minute: next } })}
          />
        </Field>
      </div>
      <Field
        label="Left to other calls, in %"
        hint="Of the calls that you may place at the same time, at once, and a day."
      >
        <Percentage
          value={reserve_for_others}
          onChange={(next) => set({ pacing: { ...pacing, reserve_for_others: next } })}
        />
      </Field>
    </>
  );
}

/** The most that it may cost. */
export function BudgetField({ fields: { budget }, set }: FieldProps) {
  return (
    <Field label="Budget" hint="What all of its calls may cost. Empty: any amount.">
      <input
        inputMode="decimal"
        pattern="\d+(\.\d+)?"
        value={budget === null || budget === undefined ? '' : String(budget)}
        onChange={({ target }) => set({ budget: target.value || null })}
      />
    </Field>
  );
}
