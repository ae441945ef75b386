import { useState } from 'react';
import { useLocation } from 'wouter';
import { useTestActions } from '../../data/tests.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { DRAFT, VersionField, versionOf } from './version-field.tsx';

/** Asks for a version, says to it what the caller has said, and leads to how that went. */
export function ReplayCall({ callId, agentId }: { callId: string; agentId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [version, setVersion] = useState(DRAFT.value);
  const { replay } = useTestActions();
  const [, navigate] = useLocation();
  const submit = () =>
    replay.mutate(
      { callId, agent_version: versionOf(version) },
      { onSuccess: ({ id }) => navigate(`/tests/runs/${id}`) },
    );
  return (
    <>
      <Button needs="replayCall" icon="refresh" onClick={() => setOpen(true)}>
        Replay with another version
      </Button>
      {isOpen && (
        <FormDialog
          title="Replay this call"
          action="Replay"
          isBusy={replay.isPending}
          onSubmit={submit}
          onClose={() => setOpen(false)}
        >
          <p className="muted">
            What the caller said is said once more, in text. Nobody is called, and no function is really used.
          </p>
          <VersionField
            agentId={agentId}
            label="Version"
            hint="The draft is what the agent’s page shows now."
            first={DRAFT}
            value={version}
            onChange={setVersion}
          />
          <Problem>{replay.error && messageOf(replay.error)}</Problem>
        </FormDialog>
      )}
    </>
  );
}
