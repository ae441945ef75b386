import type { CallSummary } from '@switchboard/client';
import { useSearchParams } from 'wouter';
import { useAgents } from '../../data/agents.ts';
import { type CallFilters, useCallDownload, useCalls } from '../../data/calls.ts';
import { explainEnd } from '../../data/end-reasons.ts';
import { otherSide } from '../../data/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { DirectionLabel } from '../../ui/direction.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Money } from '../../ui/money.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CallStatusBadge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Duration, Time } from '../../ui/time.tsx';
import { CallFilterBar, FILTERS } from './call-filters.tsx';

/** The history of calls. Its filters stand in the address. */
export function CallsPage() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const calls = useCalls(filters);
  const download = useCallDownload(filters);
  const agents = useAgents();
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]));
  const rows = calls.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Calls"
      text="Every call, newest first."
      actions={
        <Button icon="down" onClick={() => download.mutate()} isBusy={download.isPending}>
          CSV
        </Button>
      }
    >
      {download.error && <Failure error={download.error} />}
      <CallFilterBar search={search} setSearch={setSearch} agents={agents.data ?? []} />
      {calls.isPending && <Skeleton lines={8} />}
      {calls.error && <Failure error={calls.error} onRetry={calls.refetch} />}
      {calls.data && rows.length === 0 && <NoCalls isFiltered={isFiltered} onClear={() => setSearch({})} />}
      {rows.length > 0 && (
        <Table
          label="Calls"
          columns={columnsOf(names)}
          rows={rows}
          keyOf={({ call_id }) => call_id}
          linkOf={({ call_id }) => `/calls/${call_id}`}
        />
      )}
      <More query={calls} />
    </Page>
  );
}

function columnsOf(names: Map<string, string>): Column<CallSummary>[] {
  return [
    { title: 'With', cell: (call) => <span className="number strong nowrap">{otherSide(call)}</span> },
    { title: 'State', cell: ({ call_status }) => <CallStatusBadge status={call_status} /> },
    { title: 'Direction', cell: ({ direction }) => <DirectionLabel direction={direction} />, isExtra: true },
    {
      title: 'Agent',
      cell: ({ agent_id }) => <span className="clip-line">{(agent_id && names.get(agent_id)) ?? '–'}</span>,
      isText: true,
      isMinor: true,
    },
    {
      title: 'Why it ended',
      cell: ({ end_reason }) => <span className="muted clip-line">{end_reason ? explainEnd(end_reason) : ''}</span>,
      isText: true,
      isMinor: true,
    },
    {
      title: 'Duration',
      cell: ({ duration, started_at, ended_at }) => (
        <Duration seconds={duration} since={ended_at ? null : started_at} />
      ),
      isNumber: true,
      isMinor: true,
    },
    {
      title: 'Cost',
      cell: ({ total_cost }) => (total_cost === undefined ? '–' : <Money amount={total_cost} />),
      isNumber: true,
      isMinor: true,
    },
    { title: 'Started', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true },
  ];
}

function NoCalls({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <Empty title="No calls yet" text="Choose an agent and let it call you." to="/agents" action="To the agents" />
    );
  }
  return (
    <Empty title="No call matches" text="Other filters may find it.">
      <Button onClick={onClear}>Clear the filters</Button>
    </Empty>
  );
}

function readFilters(search: URLSearchParams): CallFilters {
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = search.get(name);
      return value ? [[name, name === 'from' || name === 'to' ? dayToTime(value, name) : value]] : [];
    }),
  );
}

/** The first moment of a day in the viewer's zone, or of the day after it. */
function dayToTime(day: string, end: 'from' | 'to'): string {
  const date = new Date(`${day}T00:00:00`);
  if (end === 'to') date.setDate(date.getDate() + 1);
  return Number.isNaN(date.getTime()) ? day : date.toISOString();
}
