import type { TestRun } from '@switchboard/client';
import { Badge, type Tone } from '../../ui/status.tsx';

const STATES: Record<TestRun['status'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'wait' },
  running: { label: 'Running', tone: 'wait' },
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  invalid: { label: 'No result', tone: 'warn' },
  canceled: { label: 'Canceled', tone: 'quiet' },
};

/** The state of a test run, or of one of its scenarios. */
export function TestStatus({ status }: Pick<TestRun, 'status'>) {
  const { label, tone } = STATES[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** How many scenarios have ended, and how. */
export function Progress({ run }: { run: TestRun }) {
  const { scenarios, passed, failed, invalid } = run;
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(invalid > 0 ? [`${invalid} without a result`] : []),
  ];
  return (
    <div className="test-progress">
      <progress aria-label="Scenarios that have ended" max={scenarios} value={passed + failed + invalid} />
      <span className="number">
        {parts.join(', ')} <span className="muted">of {scenarios}</span>
      </span>
    </div>
  );
}
