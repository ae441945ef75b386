import type { Agent } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { saveAgentFile } from '../../data/agent-file.ts';
import { useDeleteAgent, useDuplicateAgent } from '../../data/agents.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Actions on the agent as a whole. */
export function AgentManagement({ agent, externalKey }: { agent: Agent; externalKey: string | null }) {
  const [, navigate] = useLocation();
  const duplicate = useDuplicateAgent();
  const remove = useDeleteAgent(agent.id);
  const [isAsking, setAsking] = useState(false);
  const copy = () => duplicate.mutate(agent, { onSuccess: ({ id }) => navigate(`/agents/${id}`) });
  return (
    <section className="section management" aria-label="This agent">
      <h2>This agent</h2>
      <div className="actions">
        <Button needs="createAgent" icon="copy" isBusy={duplicate.isPending} onClick={copy}>
          Duplicate
        </Button>
        <Button icon="down" onClick={() => saveAgentFile(agent, externalKey)}>
          Export as a file
        </Button>
        <Button needs="deleteAgent" icon="trash" kind="danger" onClick={() => setAsking(true)}>
          Delete
        </Button>
      </div>
      <p className="hint">
        A copy and a file hold what calls get now, not the draft. The number and the callback URL stay with this agent;
        the file has its external key.
      </p>
      {duplicate.error && <Failure error={duplicate.error} />}
      {isAsking && (
        <Confirm
          title={`Delete ${agent.name}?`}
          text="It accepts no more calls. Its past calls, transcripts and costs are kept."
          action="Delete agent"
          mutation={remove}
          ask={(api) => api.agents.delete(agent.id)}
          onDone={() => navigate('/agents')}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
