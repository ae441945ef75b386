import { useLocation } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { useMay } from '../../ui/permission.ts';

/** Leads to a scenario that is drafted of a call or a chat, to be changed and saved. */
export function MakeTest({ callId, isDisabled = false }: { callId: string; isDisabled?: boolean }) {
  const [, navigate] = useLocation();
  if (!useMay('saveScenario')) return null;
  return (
    <Button
      needs="draftScenario"
      icon="tests"
      disabled={isDisabled}
      onClick={() => navigate(`/tests/scenarios/new?call=${callId}`)}
    >
      Make a test of this
    </Button>
  );
}
