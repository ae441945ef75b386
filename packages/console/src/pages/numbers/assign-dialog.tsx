import type { Agent, OwnedNumber } from '@switchboard/client';
import { type FormEvent, useState } from 'react';
import { formatNumber } from '../../data/numbers.ts';
import { useAssignNumber } from '../../data/phone-numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { OneUser } from '../users/one-user.tsx';

interface Props {
  number: OwnedNumber;
  agents: Agent[];
  onClose: () => void;
}

/** Gives a number to an agent that has none. */
export function AssignDialog({ number, agents, onClose }: Props) {
  const free = agents.filter(({ phone_number }) => !phone_number);
  const [chosen, setAgentId] = useState<string | null>(null);
  const agentId = chosen ?? free[0]?.id ?? '';
  const assign = useAssignNumber(number.phone_number);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    assign.mutate(agentId, { onSuccess: onClose });
  };
  return (
    <Dialog title={`Assign ${formatNumber(number.phone_number)}`} isOpen onClose={onClose}>
      <OneUser why="A number is given to an agent of one user.">
        <form className="form" onSubmit={submit}>
          {free.length === 0 ? (
            <p>Every agent has a number. Create another agent, or release a number first.</p>
          ) : (
            <Field label="Agent" error={assign.error && messageOf(assign.error)}>
              <select value={agentId} onChange={(event) => setAgentId(event.target.value)}>
                {free.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <p className="notice">
            At the carrier, the number is routed to this service from now on: whatever answered it before no longer
            does. Releasing it brings the former route back.
          </p>
          <div className="form-end">
            <Button onClick={onClose}>Cancel</Button>
            <Button kind="primary" type="submit" isBusy={assign.isPending} disabled={!agentId}>
              Assign
            </Button>
          </div>
        </form>
      </OneUser>
    </Dialog>
  );
}
