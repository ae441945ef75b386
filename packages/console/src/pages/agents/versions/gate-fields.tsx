import type { TestRun } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { NotPassed } from '../../../data/release-gate.ts';
import { useSuites, useTestResults } from '../../../data/tests.ts';
import { whyOf } from '../../../data/trace-words.ts';
import { messageOf } from '../../../ui/failure.tsx';
import { Field } from '../../../ui/field.tsx';
import { useMay } from '../../../ui/permission.ts';
import { Problem } from '../../../ui/problem.tsx';
import { Progress, TestStatus } from '../../tests/test-status.tsx';

/**
 * The chosen suite: the one that the last release had to pass, until another is chosen. Empty for none, or while it is
 * not known whether that suite is still there.
 */
export function useGateSuite(last: string | null | undefined) {
  const [chosen, setSuite] = useState<string | null>(null);
  const suites = useSuites();
  const mayRun = useMay('startTestRun');
  const isThere = mayRun && suites.data?.some(({ id }) => id === last);
  return { suite: chosen ?? (isThere && last ? last : ''), setSuite, isKnown: !suites.isPending };
}

interface Props {
  /** The id of the chosen suite; empty for none. */
  suite: string;
  onChange: (suite: string) => void;
  isBusy: boolean;
}

/** Which suite must pass first. Nothing without a suite, or without permission to run one. */
export function GateField({ suite, onChange, isBusy }: Props) {
  const suites = useSuites().data ?? [];
  const mayRun = useMay('startTestRun');
  if (!mayRun || suites.length === 0) return null;
  return (
    <Field
      label="Tests that must pass first"
      hint="Each version is run with the suite, and gets calls only if it passes."
    >
      <select value={suite} disabled={isBusy} onChange={({ target }) => onChange(target.value)}>
        <option value="">None</option>
        {suites.map(({ id, name, scenarios }) => (
          <option key={id} value={id} disabled={scenarios.length === 0}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** The runs that decide, and why one has not passed. */
export function GateRuns({ runs, error }: { runs: TestRun[]; error: unknown }) {
  return (
    <>
      {runs.length > 0 && (
        <ul className="gate-runs" aria-label="Tests of the release">
          {runs.map((run) => (
            <li key={run.id} className="stack">
              <span className="test-state">
                <span className="strong">Version {run.agent_version}</span>
                <TestStatus status={run.status} />
                <Progress run={run} />
              </span>
              {error instanceof NotPassed && error.run.id === run.id && <Failed run={run} />}
            </li>
          ))}
        </ul>
      )}
      <Problem>{error ? messageOf(error) : null}</Problem>
    </>
  );
}

/** The scenarios that stand in the way, each with a link to how it went. */
function Failed({ run }: { run: TestRun }) {
  const results = useTestResults(run).data ?? [];
  return (
    <ul>
      {results
        .filter(({ status }) => status !== 'passed')
        .map((result) => (
          <li key={result.id}>
            <Link to={`/tests/runs/${run.id}?scenario=${result.scenario_id}`} className="in-text">
              {result.name}
            </Link>{' '}
            <span className="muted">{whyOf(result)}</span>
          </li>
        ))}
    </ul>
  );
}
