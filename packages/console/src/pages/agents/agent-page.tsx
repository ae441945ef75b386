import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAgent, useAgentCallbackUrl, useDeleteAgent } from '../../data/agents.ts';
import { useIsSandbox } from '../../data/service.ts';
import { useStartTalk } from '../../data/talk.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AgentForm } from './agent-form.tsx';
import { CallMe } from './call-me.tsx';

const BACK = { to: '/agents', label: 'Agents' };

/** One agent, to edit and try. */
export function AgentPage({ id }: { id: string }) {
  const agent = useAgent(id);
  const callbackUrl = useAgentCallbackUrl(id);
  const remove = useDeleteAgent(id);
  const talk = useStartTalk();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<'call' | 'delete' | null>(null);
  const error = agent.error ?? callbackUrl.error;
  if (error || !agent.data || !callbackUrl.data) {
    return (
      <Page title="Agent" back={BACK}>
        {error ? <Failure error={error} onRetry={agent.error ? agent.refetch : callbackUrl.refetch} /> : <Skeleton />}
      </Page>
    );
  }
  return (
    <Page
      title={agent.data.name}
      text={agent.data.description}
      back={BACK}
      actions={
        <AgentActions
          isActive={agent.data.is_active}
          isJoining={talk.isPending}
          onDelete={() => setShown('delete')}
          onTalk={() => talk.mutate(agent.data, { onSuccess: (id) => navigate(`/calls/${id}`) })}
          onCall={() => setShown('call')}
        />
      }
    >
      {talk.error && <Failure error={talk.error} />}
      <AgentForm key={id} agent={agent.data} callbackUrl={callbackUrl.data.callback_url ?? ''} />
      {shown === 'call' && <CallMe agent={agent.data} onClose={() => setShown(null)} />}
      {shown === 'delete' && (
        <Confirm
          title={`Delete ${agent.data.name}?`}
          text="It accepts no more calls. Its past calls, transcripts and costs are kept."
          action="Delete agent"
          mutation={remove}
          onDone={() => navigate('/agents')}
          onClose={() => setShown(null)}
        />
      )}
    </Page>
  );
}

interface ActionsProps {
  /** Whether the agent accepts and places calls. */
  isActive: boolean;
  /** A call with the browser is being started. */
  isJoining: boolean;
  onDelete: () => void;
  onTalk: () => void;
  onCall: () => void;
}

function AgentActions({ isActive, isJoining, onDelete, onTalk, onCall }: ActionsProps) {
  const isSandbox = useIsSandbox();
  return (
    <>
      <Button onClick={onDelete}>Delete</Button>
      <Button
        icon="mic"
        onClick={onTalk}
        isBusy={isJoining}
        disabled={!isActive}
        title={isSandbox ? 'Sandbox: the browser and the agent are simulated' : undefined}
      >
        Talk
      </Button>
      <Button kind="primary" icon="phone" onClick={onCall} disabled={!isActive}>
        Call me
      </Button>
    </>
  );
}
