import type { Suite, TestRun } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { useSuites, useTestActions, useTestRuns } from '../../data/tests.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { RunDialog } from './run-dialog.tsx';
import { SuiteDialog } from './suite-dialog.tsx';
import { TestStatus } from './test-status.tsx';

type Shown = { what: 'run' | 'edit' | 'delete'; suite: Suite } | { what: 'new' };

/** The suites, each with its latest run. */
export function SuiteList() {
  const suites = useSuites();
  const runs = useTestRuns().data?.pages.flatMap(({ items }) => items) ?? [];
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const latestOf = ({ id }: Suite) => runs.find(({ suite }) => suite === id);
  return (
    <>
      {suites.isPending && <Skeleton />}
      {suites.error && <Failure error={suites.error} onRetry={suites.refetch} />}
      {suites.data?.length === 0 && (
        <Empty
          title="No suites yet"
          text="Take the tests of a template, or choose scenarios that are run together. A suite can be the gate that a version must pass."
        >
          <NewSuite onClick={() => setShown({ what: 'new' })} />
        </Empty>
      )}
      {suites.data && suites.data.length > 0 && (
        <>
          <div className="filters">
            <NewSuite onClick={() => setShown({ what: 'new' })} />
          </div>
          <Table label="Suites" columns={columns(latestOf, setShown)} rows={suites.data} keyOf={({ id }) => id} />
        </>
      )}
      {shown?.what === 'new' && <SuiteDialog onClose={close} />}
      {shown?.what === 'edit' && <SuiteDialog suite={shown.suite} onClose={close} />}
      {shown?.what === 'run' && <RunDialog suite={shown.suite} onClose={close} />}
      {shown?.what === 'delete' && <DeleteSuite suite={shown.suite} onClose={close} />}
    </>
  );
}

const NewSuite = ({ onClick }: { onClick: () => void }) => (
  <Button needs="saveSuite" icon="plus" onClick={onClick}>
    New suite
  </Button>
);

function columns(latestOf: (suite: Suite) => TestRun | undefined, show: (shown: Shown) => void): Column<Suite>[] {
  return [
    { title: 'Suite', cell: ({ name }) => <span className="strong anywhere">{name}</span> },
    { title: 'Scenarios', isNumber: true, isMinor: true, cell: ({ scenarios }) => scenarios.length },
    { title: 'Latest run', cell: (suite) => <Latest run={latestOf(suite)} /> },
    {
      title: '',
      isNumber: true,
      cell: (suite) => (
        <span className="cell-actions">
          <Button
            needs="startTestRun"
            disabled={suite.scenarios.length === 0}
            onClick={() => show({ what: 'run', suite })}
            aria-label={`Run ${suite.name}`}
          >
            Run
          </Button>
          <Button needs="saveSuite" onClick={() => show({ what: 'edit', suite })} aria-label={`Change ${suite.name}`}>
            Change
          </Button>
          <IconButton
            needs="deleteSuite"
            icon="trash"
            label={`Delete ${suite.name}`}
            onClick={() => show({ what: 'delete', suite })}
          />
        </span>
      ),
    },
  ];
}

function Latest({ run }: { run: TestRun | undefined }) {
  if (!run) return <span className="muted">Never run</span>;
  return (
    <Link to={`/tests/runs/${run.id}`} className="nowrap">
      <TestStatus status={run.status} />
      <span className="muted"> version {run.agent_version}</span>
    </Link>
  );
}

function DeleteSuite({ suite, onClose }: { suite: Suite; onClose: () => void }) {
  const { deleteSuite } = useTestActions();
  return (
    <Confirm
      title={`Delete the suite ${suite.name}?`}
      text="Its scenarios and its runs stay."
      action="Delete"
      mutation={{
        ...deleteSuite,
        mutate: (_: undefined, options: { onSuccess: () => void }) => deleteSuite.mutate(suite.id, options),
      }}
      onClose={onClose}
    />
  );
}
