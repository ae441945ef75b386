import type { Agent, Extractor } from '@switchboard/client';
import { Link, useSearchParams } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { type StatsChoice, useAnalysisStats } from '../../data/analyses.ts';
import { barsOf, findersOf, headingOf, type VersionBars } from '../../data/analysis-words.ts';
import { contentOf, useExtractors } from '../../data/extractors.ts';
import { utcDay } from '../../data/overview.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { DayFilter, OptionFilter, setterOf } from '../../ui/filters.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ResultDays } from './result-days.tsx';
import { ResultTable } from './result-table.tsx';
import { VersionRows } from './version-rows.tsx';

/** Days that are shown at first. */
const DAYS = 30;

/** The calls of a period: the values of one field, by version of the agent. */
export function Results() {
  const extractors = useExtractors();
  const agents = useAgents().data ?? [];
  const [search, setSearch] = useSearchParams();
  const { choice, extractor, finders } = readChoice(search, extractors.data ?? []);
  const { field } = choice;
  const groups = useAnalysisStats(choice, 'version');
  if (extractors.isPending) return <Skeleton />;
  const failure = extractors.error && <Failure error={extractors.error} onRetry={extractors.refetch} />;
  if (!extractors.data || !extractor) return failure ?? <Nothing />;
  const set = setterOf(setSearch);
  const rows = groups.data ? barsOf(groups.data) : [];
  const shown = new URLSearchParams({ ...Object.fromEntries(search), extractor: choice.extractor, field });
  if (!shown.has('from')) shown.set('from', choice.from);
  return (
    <>
      {failure}
      <search className="filters">
        <Select
          label="Extractor"
          value={choice.extractor}
          options={extractors.data.map(({ name }) => [name, name] as const)}
          onChange={(name) => set('extractor', name)}
        />
        <Select
          label="Question"
          value={field}
          options={finders.map((one) => [one.field, headingOf(one.field)] as const)}
          onChange={(name) => set('field', name)}
        />
        <OptionFilter
          name="agent"
          label="Any agent"
          options={agents.map(({ id, name }) => [id, name])}
          search={shown}
          set={set}
        />
        <DayFilter name="from" label="From (UTC)" search={shown} set={set} />
        <DayFilter name="to" label="To (UTC)" search={shown} set={set} />
      </search>
      {groups.isPending && <Skeleton />}
      {groups.error && <Failure error={groups.error} onRetry={groups.refetch} />}
      {groups.data && <Figures rows={rows} field={field} agents={agents} list={listOf(choice)} />}
      {rows.some(({ bars }) => bars.length > 0) && <ResultDays choice={choice} />}
    </>
  );
}

/** The choice that the address makes, or the first of everything. */
function readChoice(search: URLSearchParams, known: Extractor[]) {
  const extractor = known.find(({ name }) => name === search.get('extractor')) ?? known[0];
  const finders = extractor ? findersOf([contentOf(extractor)]).filter(({ isCounted }) => isCounted) : [];
  const field = finders.find((one) => one.field === search.get('field'))?.field ?? finders[0]?.field ?? '';
  const choice: StatsChoice = {
    field,
    extractor: extractor?.name ?? '',
    agent_id: search.get('agent') ?? '',
    from: search.get('from') ?? utcDay(DAYS - 1),
    to: search.get('to') ?? '',
  };
  return { choice, extractor, finders };
}

function listOf({ field, agent_id, from, to }: StatsChoice): string {
  const query = { columns: field, sort: `-analysis.${field}`, from, ...(to && { to }), ...(agent_id && { agent_id }) };
  return `/calls?${new URLSearchParams(query)}`;
}

function Nothing() {
  return (
    <Empty
      title="Nothing was asked yet"
      text="Make an extractor and choose it in an agent: what its calls answer is counted here."
      to="/analysis"
      action="Go to the extractors"
    />
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label className="inline-field named">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FiguresProps {
  rows: VersionBars[];
  field: string;
  agents: Agent[];
  /** The calls as a list. */
  list: string;
}

function Figures({ rows, field, agents, list }: FiguresProps) {
  if (rows.length === 0)
    return (
      <Empty
        title="No calls with an answer"
        text="No call of this period has a value. Calls are counted once they are analysed, on the day on which they began (UTC)."
      />
    );
  const calls = rows.reduce((sum, one) => sum + one.calls, 0);
  const nameOf = ({ agentId, version }: VersionBars) => {
    const name = agents.find(({ id }) => id === agentId)?.name ?? (agentId ? 'Deleted agent' : 'No agent');
    return version === null ? name : `${name}, version ${version}`;
  };
  return (
    <>
      <p className="muted" role="status">
        {calls} {calls === 1 ? 'call' : 'calls'} with an answer. Days are in UTC here, and in your time zone in the
        list.{' '}
        <Link to={list} className="in-text">
          Show them as a list
        </Link>
      </p>
      <VersionRows rows={rows} field={field} nameOf={nameOf} />
      <ResultTable rows={rows} field={field} nameOf={nameOf} />
    </>
  );
}
