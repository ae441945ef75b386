import type { TestRun } from '@switchboard/client';
import { useAgents } from '../../data/agents.ts';
import { useSuites, useTestRuns } from '../../data/tests.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Progress, TestStatus } from './test-status.tsx';

/** The test runs of the last 30 days, newest first. */
export function RunList() {
  const runs = useTestRuns();
  const suites = new Map(useSuites().data?.map(({ id, name }) => [id, name]));
  const agents = new Map(useAgents().data?.map(({ id, name }) => [id, name]));
  const rows = runs.data?.pages.flatMap(({ items }) => items) ?? [];
  if (runs.isPending) return <Skeleton />;
  if (runs.error && rows.length === 0) return <Failure error={runs.error} onRetry={runs.refetch} />;
  if (rows.length === 0)
    return <Empty title="No runs yet" text="Run a suite or a scenario. Runs are kept for 30 days." />;
  return (
    <>
      {runs.error && <Failure error={runs.error} onRetry={runs.refetch} />}
      <Table
        label="Test runs"
        columns={columns(suites, agents)}
        rows={rows}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/tests/runs/${id}`}
      />
      <More query={runs} />
    </>
  );
}

type Names = Map<string, string>;

function columns(suites: Names, agents: Names): Column<TestRun>[] {
  return [
    { title: 'State', cell: ({ status }) => <TestStatus status={status} /> },
    { title: 'Suite', cell: ({ suite }) => <span className="anywhere">{titleOf(suite, suites)}</span> },
    {
      title: 'Agent',
      isMinor: true,
      cell: ({ agent_id, agent_version }) => (
        <span className="anywhere">
          {agents.get(agent_id) ?? 'Deleted agent'} <span className="muted nowrap">version {agent_version}</span>
        </span>
      ),
    },
    { title: 'Scenarios', isMinor: true, cell: (run) => <Progress run={run} /> },
    { title: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

/** The name of the suite of a run. */
export function titleOf(suite: string | null, suites: Names): string {
  if (suite === null) return 'Chosen scenarios';
  return suites.get(suite) ?? 'Deleted suite';
}
