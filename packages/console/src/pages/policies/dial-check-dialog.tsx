import type { Purpose } from '@switchboard/client';
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
  const agents = useAgents().data ?? [];
  const check = useDialCheck();
  const [phone, setPhone] = useState(number);
  const [chosen, setChosen] = useState('');
  const [purpose, setPurpose] = useState<Purpose>('marketing');
  const agent_id = chosen || (agents[0]?.id ?? '');
  return (
    <FormDialog
      title="May a number be called now?"
      action="Check"
      cancel="Close"
      isBusy={check.isPending}
      isDisabled={!agent_id}
      onSubmit={() => check.mutate({ agent_id, phone_number: plainNumber(phone), purpose })}
      onClose={onClose}
    >
      <p className="muted">No phone rings.</p>
      <Field label="Number" error={check.error && messageOf(check.error)}>
        <input
          type="tel"
          value={phone}
          onChange={({ target }) => setPhone(target.value)}
          placeholder="+1 500 555 0100"
          required
        />
      </Field>
      <Field label="By">
        <select value={agent_id} onChange={({ target }) => setChosen(target.value)}>
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field label="For">
        <select value={purpose} onChange={({ target }) => setPurpose(target.value as Purpose)}>
          {PURPOSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Field>
      <div role="status">{check.data && <Verdict verdict={check.data} />}</div>
    </FormDialog>
  );
}
