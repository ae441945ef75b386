import type { Suite, TestRun } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { useSuites, useTestRuns } from '../../data/tests.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { TestStatus } from './test-status.tsx';

/** Versions side by side: more do not fit beside the names of suites. */
const MAX_VERSIONS = 6;

/** The suites against the versions of an agent: in each cell the newest run. */
export function VersionGrid() {
  const runs = useTestRuns();
  const suites = useSuites();
  const agents = new Map(useAgents().data?.map(({ id, name }) => [id, name]));
  const [chosen, setChosen] = useState<string | null>(null);
  const all = (runs.data?.pages.flatMap(({ items }) => items) ?? []).filter(({ suite }) => suite !== null);
  if (runs.isPending || suites.isPending) return <Skeleton />;
  const error = runs.error ?? suites.error;
  const failure = error && <Failure error={error} onRetry={runs.error ? runs.refetch : suites.refetch} />;
  if (!runs.data || !suites.data) return failure;
  const tested = [...new Set(all.map(({ agent_id }) => agent_id))];
  const agent = tested.find((id) => id === chosen) ?? tested[0];
  if (agent === undefined)
    return (
      failure ?? (
        <Empty title="No suite was run yet" text="Run a suite: its result stands here beside other versions." />
      )
    );
  const theirs = all.filter(({ agent_id }) => agent_id === agent);
  const versions = [...new Set(theirs.map(({ agent_version }) => agent_version))].sort((a, b) => b - a);
  return (
    <>
      {failure}
      <div className="filters">
        <Field label="Agent">
          <select value={agent} onChange={({ target }) => setChosen(target.value)}>
            {tested.map((id) => (
              <option key={id} value={id}>
                {agents.get(id) ?? 'Deleted agent'}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Table
        label="Suites by version"
        columns={columns(theirs, versions.slice(0, MAX_VERSIONS))}
        rows={suites.data}
        keyOf={({ id }) => id}
      />
      <More query={runs} />
    </>
  );
}

/** Runs are newest first. */
function columns(runs: TestRun[], versions: number[]): Column<Suite>[] {
  return [
    { title: 'Suite', cell: ({ name }) => <span className="strong anywhere">{name}</span> },
    ...versions.map((version): Column<Suite> => {
      const newestOf = ({ id }: Suite) => runs.find((run) => run.suite === id && run.agent_version === version);
      return { title: `Version ${version}`, cell: (suite) => <Cell run={newestOf(suite)} /> };
    }),
  ];
}

function Cell({ run }: { run: TestRun | undefined }) {
  if (!run) return <span className="muted">Not run</span>;
  return (
    <Link to={`/tests/runs/${run.id}`} className="nowrap">
      <TestStatus status={run.status} />{' '}
      <span className="muted number">
        {run.passed} of {run.scenarios}
      </span>
    </Link>
  );
}
