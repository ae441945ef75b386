import type { ScenarioSummary } from '@switchboard/client';
import { useScenarios, useSuites } from '../../data/tests.ts';
import { useText } from '../../ui/address.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The scenarios, and the suites that each is in. */
export function ScenarioList() {
  const scenarios = useScenarios();
  const suites = useSuites().data ?? [];
  const [text, setText] = useText('q');
  const mayWrite = useMay('saveScenario');
  const found = scenarios.data?.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())) ?? [];
  const suitesOf = ({ id }: ScenarioSummary) =>
    suites.filter((suite) => suite.scenarios.includes(id)).map(({ name }) => name);
  if (scenarios.isPending) return <Skeleton />;
  const failure = scenarios.error && <Failure error={scenarios.error} onRetry={scenarios.refetch} />;
  if (!scenarios.data) return failure;
  if (scenarios.data.length === 0)
    return (
      failure ?? (
        <Empty
          title="No scenarios yet"
          text="Write one, take the tests of a template, or open a call that has ended and make a test of it."
          {...(mayWrite && { to: '/tests/scenarios/new', action: 'New scenario' })}
        />
      )
    );
  return (
    <>
      {failure}
      <div className="filters">
        <input
          type="search"
          className="search q"
          placeholder="Search the scenarios"
          aria-label="Search the scenarios"
          value={text}
          data-search
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {found.length === 0 ? (
        <Empty title="No scenario matches" text="The search looks at names." />
      ) : (
        <Table
          label="Scenarios"
          columns={columns(suitesOf)}
          rows={found}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/tests/scenarios/${id}`}
        />
      )}
    </>
  );
}

function columns(suitesOf: (scenario: ScenarioSummary) => string[]): Column<ScenarioSummary>[] {
  return [
    { title: 'Scenario', cell: ({ name }) => <span className="strong anywhere">{name}</span> },
    {
      title: 'Suites',
      isMinor: true,
      cell: (scenario) => suitesOf(scenario).join(', ') || <span className="muted">None</span>,
    },
    { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
  ];
}
