import type { Agent, AgentConfig, AgentDraft } from '@switchboard/client';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type AgentSettings, useAgent, useAgentSettings, useVariables } from '../../data/agents.ts';
import { inOrder } from '../../data/config-paths.ts';
import { useConfigSchema } from '../../data/config-schema.ts';
import { useIsSandbox } from '../../data/service.ts';
import { useStartTalk } from '../../data/talk.tsx';
import { useDraft } from '../../data/versions.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure, isMissing } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { OfferTests } from '../tests/offer-tests.tsx';
import { AgentForm } from './agent-form.tsx';
import { CallMe } from './call-me.tsx';
import { TalkDialog } from './talk-dialog.tsx';

const BACK = { to: '/agents', label: 'Agents' };

/** One agent, to edit and try. */
export default function AgentPage({ id }: { id: string }) {
  const agent = useAgent(id);
  const settings = useAgentSettings(id);
  const draft = useDraft(id);
  const schema = useConfigSchema();
  // The form alone needs the schema.
  const stored = useMemo(
    () => draft.data && { ...draft.data, config: inOrder(draft.data.config, schema.data) as AgentConfig },
    [draft.data, schema.data],
  );
  const parts = [agent, settings, draft];
  const isGone = parts.some(({ error }) => isMissing(error));
  const failed = parts.find(({ error }) => error);
  const failure = failed && <Failure error={failed.error} onRetry={failed.refetch} />;
  if (!isGone && agent.data && settings.data && schema.isFetched && stored)
    return <FoundAgent agent={agent.data} settings={settings.data} draft={stored} schema={schema} failure={failure} />;
  return (
    <Page title="Agent" back={BACK}>
      {!failed && <Skeleton />}
      {isGone && (
        <Empty
          title="This agent does not exist"
          text="It was deleted, or it belongs to another user."
          to="/agents"
          action="All agents"
        />
      )}
      {!isGone && failure}
    </Page>
  );
}

interface FoundProps {
  agent: Agent;
  settings: AgentSettings;
  /** The keys of its configuration are in the order of the schema. */
  draft: AgentDraft;
  schema: ReturnType<typeof useConfigSchema>;
  /** Why a part is not up to date; nothing if it is. */
  failure: ReactNode;
}

function FoundAgent({ agent, settings, draft, schema, failure }: FoundProps) {
  const talk = useStartTalk();
  const tried = draft.has_changes ? draft : null;
  const names = useVariables(draft.config);
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<'call' | 'talk' | null>(null);
  const startTalk = () => {
    if (names.length > 0) setShown('talk');
    else
      talk.mutate({ agent, variables: {}, isDraft: tried !== null }, { onSuccess: (id) => navigate(`/calls/${id}`) });
  };
  const close = () => setShown(null);
  return (
    <Page
      title={draft.name}
      text={draft.description}
      back={BACK}
      actions={
        <AgentActions
          isActive={agent.is_active}
          isDraft={draft.has_changes}
          isJoining={talk.isPending}
          onTalk={startTalk}
          onCall={() => setShown('call')}
        />
      }
    >
      {failure}
      {talk.error && <Failure error={talk.error} />}
      <OfferTests agentId={agent.id} />
      <AgentForm key={agent.id} agent={agent} settings={settings} stored={draft} schema={schema} />
      {shown === 'call' && <CallMe agent={agent} onClose={close} />}
      {shown === 'talk' && <TalkDialog agent={agent} draft={tried} onClose={close} />}
    </Page>
  );
}

interface ActionsProps {
  /** Whether the agent accepts and places calls. */
  isActive: boolean;
  /** There is a draft, which the browser talks to. */
  isDraft: boolean;
  /** A call with the browser is being started. */
  isJoining: boolean;
  onTalk: () => void;
  onCall: () => void;
}

function AgentActions({ isActive, isDraft, isJoining, onTalk, onCall }: ActionsProps) {
  const isSandbox = useIsSandbox();
  return (
    <>
      <Button
        needs="startWebCall"
        icon="mic"
        onClick={onTalk}
        isBusy={isJoining}
        disabled={!isActive}
        title={isSandbox ? 'Sandbox: the browser and the agent are simulated' : undefined}
      >
        {isDraft ? 'Talk to the draft' : 'Talk'}
      </Button>
      <Button needs="startOutboundCall" icon="phone" onClick={onCall} disabled={!isActive}>
        Call me
      </Button>
    </>
  );
}
