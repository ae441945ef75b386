import type { Scenario } from '@switchboard/client';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useOneUser } from '../../data/session.tsx';
import { useScenario, useScenarioDraft, useTestActions } from '../../data/tests.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure, isMissing } from '../../ui/failure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RunDialog } from './run-dialog.tsx';
import { ScenarioForm } from './scenario-form.tsx';

const BACK = { to: '/tests?tab=scenarios', label: 'Scenarios' };
const EXAMPLE = `scenario: asks when we open
caller:
  script:
    - { say: "When do you open?" }
    - { hang_up: true }
expect:
  - { agent_says: "nine" }
`;

/** One scenario, to read, change and run; `new` is one to be written, or drafted of the call in the URL. */
export default function ScenarioPage({ id }: { id: string }) {
  const [search] = useSearchParams();
  const call = search.get('call');
  // Edits belong to a user.
  const user = useOneUser();
  if (id !== 'new') return <StoredScenario key={user} id={id} />;
  if (call) return <DraftedScenario key={user} callId={call} />;
  return (
    <Page title="New scenario" back={BACK} text="A conversation with an agent, and what must be true of it.">
      <ScenarioForm key={user} place="new" text={EXAMPLE} />
    </Page>
  );
}

function DraftedScenario({ callId }: { callId: string }) {
  const draft = useScenarioDraft(callId);
  return (
    <Page
      title="New scenario"
      back={{ to: `/calls/${callId}`, label: 'The call' }}
      text="Drafted of what the caller said. Write what you expect, and what tools should answer; then save it."
    >
      {draft.isPending && <Skeleton />}
      {draft.error && <Failure error={draft.error} onRetry={draft.refetch} />}
      {draft.data && <ScenarioForm place={`of call ${callId}`} text={draft.data.text} />}
    </Page>
  );
}

function StoredScenario({ id }: { id: string }) {
  const scenario = useScenario(id);
  if (scenario.data) return <FoundScenario scenario={scenario.data} />;
  return (
    <Page title="Scenario" back={BACK}>
      {scenario.isPending && <Skeleton />}
      {scenario.error && isMissing(scenario.error) && (
        <Empty
          title="This scenario does not exist"
          text="It was deleted, or it belongs to another user."
          to="/tests?tab=scenarios"
          action="All scenarios"
        />
      )}
      {scenario.error && !isMissing(scenario.error) && <Failure error={scenario.error} onRetry={scenario.refetch} />}
    </Page>
  );
}

/** The agent that a scenario is written for, by its id. */
const agentOf = (text: string) => /^agent:\s*\{?\s*id:\s*"?([0-9a-f-]{36})/m.exec(text)?.[1] ?? null;

function FoundScenario({ scenario }: { scenario: Scenario }) {
  const { deleteScenario } = useTestActions();
  const [shown, setShown] = useState<'run' | 'delete' | null>(null);
  const [, navigate] = useLocation();
  const close = () => setShown(null);
  return (
    <Page
      title={scenario.name}
      back={BACK}
      actions={
        <>
          <IconButton needs="deleteScenario" icon="trash" label="Delete" onClick={() => setShown('delete')} />
          <Button needs="startTestRun" kind="primary" onClick={() => setShown('run')}>
            Run
          </Button>
        </>
      }
    >
      <ScenarioForm place={scenario.id} text={scenario.text} stored={scenario} />
      {shown === 'run' && <RunDialog scenario={scenario} agentId={agentOf(scenario.text)} onClose={close} />}
      {shown === 'delete' && (
        <Confirm
          title="Delete this scenario?"
          text="Suites go on without it. Results of its runs stay."
          action="Delete"
          mutation={{
            ...deleteScenario,
            mutate: (_: undefined, options: { onSuccess: () => void }) => deleteScenario.mutate(scenario.id, options),
          }}
          onDone={() => navigate('/tests?tab=scenarios')}
          onClose={close}
        />
      )}
    </Page>
  );
}
