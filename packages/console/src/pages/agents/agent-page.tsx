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
  const isSandbox = useIsSandbox();
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<'call' | 'delete' | null>(null);
  const error = agent.error ?? callbackUrl.error;
  if (error) {
    return (
      <Page title="Agent" back={BACK}>
        <Failure error={error} onRetry={agent.error ? agent.refetch : callbackUrl.refetch} />
      </Page>
    );
  }
  if (!agent.data || !callbackUrl.data) {
    return (
      <Page title="Agent" back={BACK}>
        <Skeleton />
      </Page>
    );
  }
  return (
    <Page
      title={agent.data.name}
      text={agent.data.description}
      back={BACK}
      actions={
        <>
          <Button onClick={() => setShown('delete')}>Delete</Button>
          <Button
            icon="mic"
            onClick={() => talk.mutate(agent.data, { onSuccess: (id) => navigate(`/calls/${id}`) })}
            isBusy={talk.isPending}
            disabled={!agent.data.is_active}
            title={isSandbox ? 'Sandbox: the browser and the agent are simulated' : undefined}
          >
            Talk
          </Button>
          <Button kind="primary" icon="phone" onClick={() => setShown('call')} disabled={!agent.data.is_active}>
            Call me
          </Button>
        </>
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
