import type { Agent, OwnedNumber } from '@switchboard/client';
import { useState } from 'react';
import { formatNumber } from '../../data/numbers.ts';
import { useAssignNumber } from '../../data/phone-numbers.ts';
import { useSession } from '../../data/session.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { UserNeeded } from '../users/one-user.tsx';

interface Props {
  number: OwnedNumber;
  agents: Agent[];
  onClose: () => void;
}

/** Assigns a number to an agent that has none; while all users are shown, the user is chosen first. */
export function AssignDialog({ number, agents, onClose }: Props) {
  const { user } = useSession();
  const title = `Assign ${formatNumber(number.phone_number)}`;
  if (user !== null) return <AgentDialog title={title} number={number} agents={agents} onClose={onClose} />;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <UserNeeded why="A number is assigned to an agent of one user." />
    </Dialog>
  );
}

function AgentDialog({ title, number, agents, onClose }: Props & { title: string }) {
  const free = agents.filter(({ phone_number }) => !phone_number);
  const [chosen, setChosen] = useState<string | null>(null);
  const agentId = chosen ?? free[0]?.id ?? '';
  const assign = useAssignNumber(number.phone_number);
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      action="Assign"
      isBusy={assign.isPending}
      isDisabled={!agentId}
      onSubmit={() => assign.mutate(agentId, { onSuccess: onClose })}
      ask={(api) => api.numbers.assign({ agent_id: agentId, phone_number: number.phone_number })}
    >
      {free.length === 0 ? (
        <p>Every agent has a number. Create another agent, or release a number first.</p>
      ) : (
        <Field label="Agent" error={assign.error && messageOf(assign.error)}>
          <select value={agentId} onChange={(event) => setChosen(event.target.value)}>
            {free.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      <p className="notice">
        At the carrier, the number is routed to this service from now on, and no longer to its previous destination.
        Releasing it restores the previous route.
      </p>
    </FormDialog>
  );
}
