import type { AgentDraft } from '@switchboard/client';
import { useEffect, useState } from 'react';
import { DRAFT_LABELS, editorOf, isOwn } from '../../data/agent-draft.ts';
import { Button } from '../../ui/button.tsx';
import type { useAgentDraft } from './use-agent-draft.ts';

/** Time after a save for which somebody is said to be editing. */
const EDITING_MS = 120_000;

type Held = Pick<ReturnType<typeof useAgentDraft>, 'saved' | 'savedBy' | 'theirs' | 'keepMine' | 'takeTheirs'>;

/** The fields that somebody else has saved meanwhile, if there are any. */
export function Overtaken({ saved, savedBy, theirs, keepMine, takeTheirs }: Held) {
  if (theirs.length === 0) return null;
  return (
    <div className="failure" role="alert">
      <p>
        <strong>{editorOf(savedBy)} is editing this draft, too,</strong> and has saved since you began. What you have
        typed is not saved, and not lost. Theirs:
      </p>
      <dl className="facts theirs">
        {theirs.map((name) => (
          <div key={name}>
            <dt>{DRAFT_LABELS[name]}</dt>
            <dd>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
              <pre tabIndex={0}>{saved[name] || '(empty)'}</pre>
            </dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button kind="primary" onClick={keepMine}>
          Put my changes on top
        </Button>
        <Button onClick={takeTheirs}>Take theirs, discard mine</Button>
      </div>
    </div>
  );
}

/** Says that somebody else has just saved this draft, before anything is typed here. */
export function AlsoEditing({ stored }: { stored: AgentDraft }) {
  const { agent_id, has_changes, revision, updated_at, updated_by } = stored;
  const isRecent = useIsRecent(updated_at);
  if (!has_changes || !isRecent || isOwn(sessionStorage, agent_id, revision)) return null;
  return (
    <p className="notice" role="status" aria-label="Other editors">
      <strong>{editorOf(updated_by)} is editing this draft.</strong> You see each change of theirs a few seconds after
      it is saved. If you both change the same field, you are asked which one stays.
    </p>
  );
}

/** Whether a draft was saved so recently that its editor is still at work. */
function useIsRecent(at: string | null): boolean {
  const end = at === null ? 0 : Date.parse(at) + EDITING_MS;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, end - Date.now()));
    return () => clearTimeout(timer);
  }, [end]);
  return now < end;
}
