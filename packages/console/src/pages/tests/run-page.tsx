import type { TestResult, TestRun } from '@switchboard/client';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { hasEnded } from '../../data/release-gate.ts';
import { useSuites, useTestActions, useTestResults, useTestRun } from '../../data/tests.ts';
import { costOfAll } from '../../data/trace-words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure, isMissing, messageOf } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { ResultView } from './result-view.tsx';
import { titleOf } from './run-list.tsx';
import { Progress, TestStatus } from './test-status.tsx';

const REPLAY = 'Replay';
const BACK = { to: '/tests?tab=runs', label: 'Runs' };

/** One test run: how far it is, and why what did not pass did not. */
export default function RunPage({ id }: { id: string }) {
  const run = useTestRun(id);
  if (run.data) return <FoundRun run={run.data} />;
  return (
    <Page title="Test run" back={BACK}>
      {run.isPending && <Skeleton />}
      {run.error && isMissing(run.error) && (
        <Empty
          title="This test run does not exist"
          text="Runs are kept for 30 days; or it belongs to another user."
          to="/tests"
          action="All tests"
        />
      )}
      {run.error && !isMissing(run.error) && <Failure error={run.error} onRetry={run.refetch} />}
    </Page>
  );
}

function FoundRun({ run }: { run: TestRun }) {
  const suites = new Map(useSuites().data?.map(({ id, name }) => [id, name]));
  const agent = useAgents().data?.find((one) => one.id === run.agent_id);
  const results = useTestResults(run);
  const isReplay = results.data?.some(({ replay }) => replay !== null);
  return (
    <Page
      title={isReplay ? REPLAY : titleOf(run.suite, suites)}
      text={
        <>
          with version {run.agent_version} of{' '}
          {agent ? (
            <Link to={`/agents/${agent.id}`} className="in-text">
              {agent.name}
            </Link>
          ) : (
            'a deleted agent'
          )}
          {run.base_version !== null && `, compared with version ${run.base_version}`}, started{' '}
          <Time at={run.created_at} />
        </>
      }
      back={BACK}
      actions={<RunActions run={run} results={results.data} />}
    >
      {run.is_simulated && (
        <p className="muted small">
          <strong>Simulated.</strong> In the sandbox, rules answer from the prompt in place of a model, and no tool is
          really called.
        </p>
      )}
      <div className="test-state" role="status" aria-label="State of the run">
        <TestStatus status={run.status} />
        <Progress run={run} />
        {results.data && hasEnded(run) && <Cost results={results.data} />}
      </div>
      <Section title="Results">
        {results.error && <Failure error={results.error} onRetry={results.refetch} />}
        {results.isPending && <Skeleton />}
        {results.data && <Results results={results.data} />}
      </Section>
    </Page>
  );
}

const ORDER: TestRun['status'][] = ['failed', 'invalid', 'running', 'queued', 'canceled', 'passed'];

/** Those that need a look come first. */
function Results({ results }: { results: TestResult[] }) {
  const [search] = useSearchParams();
  const asked = search.get('scenario');
  const sorted = results.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <ul className="test-results">
      {sorted.map((result) => (
        <ResultView
          key={`${result.id} ${result.status}`}
          result={result}
          isOpen={asked ? result.scenario_id === asked : result.status === 'failed'}
        />
      ))}
    </ul>
  );
}

function Cost({ results }: { results: TestResult[] }) {
  const cost = costOfAll(results);
  return (
    <span className="muted">
      {cost === null ? 'Cost not known' : <Money amount={cost} />}
      {cost !== null && ' for models'}
    </span>
  );
}

function RunActions({ run, results }: { run: TestRun; results: TestResult[] | undefined }) {
  const { start, replay, cancel } = useTestActions();
  const [, navigate] = useLocation();
  const onSuccess = ({ id }: TestRun) => navigate(`/tests/runs/${id}`);
  const calls = results?.flatMap((one) => one.replay?.call_id ?? []) ?? [];
  const scenarios = results?.flatMap((one) => one.scenario_id ?? []) ?? [];
  const [callId] = calls;
  const { agent_id, suite, base_version } = run;
  const base = base_version === null ? {} : { base_version };
  const again = (agent_version: number | 'draft') => {
    if (callId !== undefined) return replay.mutate({ callId, agent_version }, { onSuccess });
    const what = suite ? { suite } : { scenarios };
    return start.mutate({ agent_id, agent_version, ...what, ...base }, { onSuccess });
  };
  const error = start.error ?? replay.error ?? cancel.error;
  const isBusy = start.isPending || replay.isPending;
  // Calls that were chosen by their time are others now, and texts are not kept.
  const isDisabled = !results || calls.length > 1 || (!suite && calls.length + scenarios.length === 0);
  const problem = error && (
    <span className="problem" role="alert">
      {messageOf(error)}
    </span>
  );
  if (!hasEnded(run))
    return (
      <>
        {problem}
        <Button needs="cancelTestRun" isBusy={cancel.isPending} onClick={() => cancel.mutate(run.id)}>
          Cancel
        </Button>
      </>
    );
  return (
    <>
      {problem}
      <Button needs="startTestRun" isBusy={isBusy} disabled={isDisabled} onClick={() => again('draft')}>
        Run the draft
      </Button>
      <Button
        needs="startTestRun"
        icon="refresh"
        isBusy={isBusy}
        disabled={isDisabled}
        onClick={() => again(run.agent_version)}
      >
        Run again
      </Button>
    </>
  );
}
