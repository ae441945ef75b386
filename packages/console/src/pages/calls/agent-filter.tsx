import { useState } from 'react';
import { useAgent, useAgentsOf } from '../../data/agents.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UserChoice } from '../users/user-choice.tsx';

interface Props {
  /** The id of an agent; null: any. */
  chosen: string | null;
  /** Accepts '' for any agent. */
  onChoose: (id: string) => void;
}

/** Chooses an agent while all users are shown: first the user, then one of their agents. */
export function AgentFilter({ chosen, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [owner, setOwner] = useState<string | null>(null);
  const agent = useAgent(chosen);
  const close = () => {
    setOpen(false);
    setOwner(null);
  };
  const choose = (id: string) => {
    onChoose(id);
    close();
  };
  const name = chosen === null ? 'Any agent' : (agent.data?.name ?? chosen);
  return (
    <>
      <button
        type="button"
        className="choice-button"
        data-set={chosen ?? undefined}
        aria-label={`Agent: ${name}. Change`}
        onClick={() => setOpen(true)}
      >
        <span className="clip">{name}</span>
        <Icon name="updown" size={14} />
      </button>
      <Dialog title={owner === null ? 'Whose agent?' : `Agents of ${owner}`} isOpen={isOpen} onClose={close}>
        {owner === null ? (
          <UserChoice onChoose={setOwner} />
        ) : (
          <AgentsOf owner={owner} chosen={chosen} choose={choose} />
        )}
        <div className="form-end">
          {owner !== null && <Button onClick={() => setOwner(null)}>Another user</Button>}
          {chosen !== null && <Button onClick={() => choose('')}>Any agent</Button>}
        </div>
      </Dialog>
    </>
  );
}

interface AgentsProps {
  owner: string;
  chosen: string | null;
  choose: (id: string) => void;
}

function AgentsOf({ owner, chosen, choose }: AgentsProps) {
  const agents = useAgentsOf(owner);
  return (
    <>
      {agents.isPending && <Skeleton lines={3} />}
      {agents.error && <Failure error={agents.error} onRetry={agents.refetch} />}
      {agents.data?.length === 0 && <p className="muted">This user has no agents.</p>}
      <ul className="choices" aria-label="Agents">
        {agents.data?.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => choose(id)} aria-current={id === chosen || undefined}>
              <span className="clip">{name}</span>
              {id === chosen && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
