import type { Agent, AgentDraft } from '@switchboard/client';
import { type ReactNode, useState } from 'react';
import { useSaveDraft } from '../../data/versions.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Time } from '../../ui/time.tsx';
import type { useAgentDraft } from './use-agent-draft.ts';
import { PublishDialog } from './versions/publish-dialog.tsx';

interface Props {
  agent: Agent;
  stored: AgentDraft;
  held: ReturnType<typeof useAgentDraft>;
  /** Problems that the service has found in the configuration. */
  problems: number;
  /** Other ways to try it. */
  children?: ReactNode;
}

/** Always in view: whether the draft is saved, and how calls get it. */
export function PublishBar({ agent, stored, held, problems, children }: Props) {
  const [shown, setShown] = useState<'publish' | 'discard' | null>(null);
  const close = () => setShown(null);
  const isPublishable = stored.has_changes && !held.isEdited && held.theirs.length === 0;
  return (
    <div className="save-bar">
      <p className="save-state" role="status" aria-label="State of the draft">
        <DraftState stored={stored} held={held} />
        {problems > 0 && <span className="problem"> {problems === 1 ? '1 problem' : `${problems} problems`}.</span>}
      </p>
      {children}
      {stored.has_changes && (
        <Button needs="putAgentDraft" onClick={() => setShown('discard')} disabled={held.isSaving}>
          Discard draft
        </Button>
      )}
      <Button needs="releaseAgent" kind="primary" disabled={!isPublishable} onClick={() => setShown('publish')}>
        Publish…
      </Button>
      {shown === 'publish' && <PublishDialog agent={agent} draft={stored} onClose={close} />}
      {shown === 'discard' && <Discard agent={agent} stored={stored} onDone={held.takeTheirs} onClose={close} />}
    </div>
  );
}

function DraftState({ stored, held }: Pick<Props, 'stored' | 'held'>) {
  const { read, isEdited, isSaving, hasRoom, error, save, theirs } = held;
  const kept = hasRoom ? 'This browser keeps your changes.' : 'This browser has no room to keep your changes.';
  if (error)
    return (
      <span className="problem" role="alert">
        Not saved: {messageOf(error)} {kept}{' '}
        <button type="button" className="link" onClick={save}>
          Try again
        </button>
      </span>
    );
  if (isEdited && !read.config) return <span className="problem">Not saved while the JSON is invalid. {kept}</span>;
  if (theirs.length > 0) return <span className="problem">Not saved until you choose whose changes stay. {kept}</span>;
  if (isEdited || isSaving) return 'Saving the draft…';
  if (!stored.has_changes) return <span className="muted">Calls get what you see: version {stored.based_on}.</span>;
  return (
    <>
      Draft saved <Time at={stored.updated_at} />
      <span className="muted">
        {stored.updated_by === 'open' ? '' : ` by ${stored.updated_by}`}. Calls get version {stored.based_on} until you
        publish.
      </span>
    </>
  );
}

interface DiscardProps extends Pick<Props, 'agent' | 'stored'> {
  onDone: () => void;
  onClose: () => void;
}

function Discard({ agent, stored, onDone, onClose }: DiscardProps) {
  const put = useSaveDraft(agent.id);
  const { name, description, type, config } = agent;
  // A draft that says what calls get is none.
  const draft = { name, description, type, config };
  const mutation = {
    isPending: put.isPending,
    error: put.error,
    mutate: (_: undefined, options: { onSuccess: () => void }) =>
      put.mutate({ draft, revision: stored.revision }, options),
  };
  return (
    <Confirm
      title="Discard the draft?"
      text="What calls get now is shown instead. The changes in the draft are lost."
      action="Discard draft"
      mutation={mutation}
      ask={(api) => api.drafts.put(agent.id, draft, { ifMatch: stored.revision })}
      onDone={() => {
        onDone();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
