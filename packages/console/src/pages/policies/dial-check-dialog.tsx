import type { Agent, Purpose } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { PURPOSES } from '../../data/dial-rules.ts';
import { useDialCheck } from '../../data/policies.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { plainNumber } from './plain-number.ts';

/** Decides as a call would now; nobody is dialled. */
export function DialCheckDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const agents = useAgents().data;
  const check = useDialCheck();
  const [phone, setPhone] = useState(number);
  const [chosen, setChosen] = useState('');
  const [purpose, setPurpose] = useState<Purpose>('marketing');
  // A verdict is about what was asked, not about what is being typed.
  const edit =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      check.reset();
      set(value);
    };
  const agent_id = chosen || (agents?.[0]?.id ?? '');
  const asked = { agent_id, phone_number: plainNumber(phone), purpose };
  return (
    <FormDialog
      title="May a number be called now?"
      action="Check"
      cancel="Close"
      isBusy={check.isPending}
      isDisabled={!agent_id}
      onSubmit={() => check.mutate(asked)}
      onClose={onClose}
      ask={(api) => api.dialing.check(asked)}
    >
      <p className="muted">No phone rings.</p>
      <Field label="Number" error={check.error && messageOf(check.error)}>
        <input
          type="tel"
          value={phone}
          onChange={({ target }) => edit(setPhone)(target.value)}
          placeholder="+1 500 555 0100"
          required
        />
      </Field>
      <AgentField agents={agents} value={agent_id} onChange={edit(setChosen)} />
      <PurposeField value={purpose} onChange={edit(setPurpose)} />
      <div role="status">{check.data && <Verdict verdict={check.data} />}</div>
    </FormDialog>
  );
}

interface FieldProps<Value> {
  value: Value;
  onChange: (value: Value) => void;
}

/** The agent that would call; `agents` are undefined until they are read. */
function AgentField({ agents, value, onChange }: FieldProps<string> & { agents: Agent[] | undefined }) {
  if (agents?.length === 0)
    return <p className="muted">You have no agent yet. A call is checked for the agent that makes it.</p>;
  return (
    <Field label="By">
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {agents?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

function PurposeField({ value, onChange }: FieldProps<Purpose>) {
  return (
    <Field label="For">
      <select value={value} onChange={({ target }) => onChange(target.value as Purpose)}>
        {PURPOSES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </Field>
  );
}
