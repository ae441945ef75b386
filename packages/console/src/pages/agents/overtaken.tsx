import { DRAFT_LABELS, editorOf } from '../../data/agent-draft.ts';
import { Button } from '../../ui/button.tsx';
import type { useAgentDraft } from './use-agent-draft.ts';

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
              <pre>{saved[name] || '(empty)'}</pre>
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
