import type { Suite } from '@switchboard/client';
import { TEMPLATES, type Template } from '@switchboard/templates';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAddTemplateTests } from '../../data/template-tests.ts';
import { useSuites } from '../../data/tests.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { RunDialog } from './run-dialog.tsx';

/** On the page of an agent that has just been made from a template: offers the tests of that template. */
export function OfferTests({ agentId }: { agentId: string }) {
  const [search] = useSearchParams();
  // The address loses it as soon as another tab is chosen.
  const [key] = useState(() => search.get('template'));
  const [isDismissed, setDismissed] = useState(false);
  const mayAdd = useMay('saveScenario');
  const template = TEMPLATES.find((one) => one.key === key);
  if (!template || !mayAdd || isDismissed) return null;
  return <Offer agentId={agentId} template={template} onDismiss={() => setDismissed(true)} />;
}

interface OfferProps {
  agentId: string;
  template: Template;
  onDismiss: () => void;
}

function Offer({ agentId, template, onDismiss }: OfferProps) {
  const [run, setRun] = useState<Suite | null>(null);
  const { add, progress } = useAddTemplateTests();
  const suites = useSuites();
  if (!suites.data) return null;
  const suite = suites.data.find(({ name }) => name === template.name);
  return (
    <div className="notice row" role="status" aria-label="Tests of the template">
      <p>
        {suite ? (
          <>
            The suite <strong>{suite.name}</strong> tests an agent of this template with {suite.scenarios.length}{' '}
            scenarios.
          </>
        ) : (
          'This template comes with tests: conversations that show whether a change has made the agent worse.'
        )}
        {progress && <span className="muted">{` Adding ${progress.done + 1} of ${progress.of}…`}</span>}
        {add.error && <span className="problem"> Not added: {messageOf(add.error)}</span>}
      </p>
      <div className="actions">
        <Button onClick={onDismiss}>Not now</Button>
        {suite ? (
          <Button needs="startTestRun" kind="primary" onClick={() => setRun(suite)}>
            Run the tests
          </Button>
        ) : (
          <Button needs="saveSuite" kind="primary" isBusy={add.isPending} onClick={() => add.mutate(template)}>
            Add its tests
          </Button>
        )}
      </div>
      {run && <RunDialog suite={run} agentId={agentId} onClose={() => setRun(null)} />}
    </div>
  );
}
