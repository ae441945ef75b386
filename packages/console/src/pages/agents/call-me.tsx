import type { Agent } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useVariables } from '../../data/agents.ts';
import { toVariables, useStartCall } from '../../data/calls.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useIsSandbox } from '../../data/service.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { VariableFields } from './variable-fields.tsx';

const SANDBOX_NUMBER = '+15005550100';
/** Simulated phones and their behavior. */
const SANDBOX_PHONES = [
  [SANDBOX_NUMBER, 'answers and talks'],
  ['+15005550001', 'is busy'],
  ['+15005550002', 'rings out'],
  ['+15005550003', 'declines'],
  ['+15005550005', 'answers, hangs up'],
  ['+15005550006', 'answers over a second trunk'],
] as const;

/** Has an agent call a phone. */
export function CallMe({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const isSandbox = useIsSandbox();
  const [typed, setTyped] = useState<string | null>(null);
  const number = typed ?? (isSandbox ? SANDBOX_NUMBER : '');
  const start = useStartCall();
  const names = useVariables(agent.config);
  const [values, setValues] = useState<Record<string, string>>({});
  const [, navigate] = useLocation();
  const wanted = {
    agent_id: agent.id,
    phone_number: number.replaceAll(/[\s().-]/g, ''),
    variables: toVariables(values),
  };
  return (
    <FormDialog
      title={`${agent.name} calls you`}
      action="Call"
      icon="phone"
      isBusy={start.isPending}
      onSubmit={() => start.mutate(wanted, { onSuccess: ({ call_id }) => navigate(`/calls/${call_id}`) })}
      onClose={onClose}
      ask={(api) => api.calls.start(wanted)}
    >
      <Field
        label="Phone number"
        hint="With its country code, as in +1 500 555 0100."
        error={start.error && messageOf(start.error)}
      >
        <input
          value={number}
          onChange={(event) => setTyped(event.target.value)}
          type="tel"
          autoComplete="tel"
          placeholder="+1 500 555 0100"
          required
        />
      </Field>
      <VariableFields names={names} values={values} onChange={setValues} />
      {isSandbox && <SandboxPhones chosen={number} onChoose={setTyped} />}
    </FormDialog>
  );
}

function SandboxPhones({ chosen, onChoose }: { chosen: string; onChoose: (number: string) => void }) {
  return (
    <div className="notice">
      <p>
        <strong>Sandbox.</strong> No phone rings: the phone and the conversation are simulated. Each of these numbers
        behaves in its own way.
      </p>
      <ul className="phones">
        {SANDBOX_PHONES.map(([number, behavior]) => (
          <li key={number}>
            <button type="button" aria-pressed={chosen === number} onClick={() => onChoose(number)}>
              <span className="number">{formatNumber(number)}</span>
              <span className="muted">{behavior}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
