import type { CallSummary } from '@switchboard/client';
import { useAgents } from '../../data/agents.ts';
import { useOpenCalls } from '../../data/calls.ts';
import { otherSide } from '../../data/numbers.ts';
import { DirectionLabel } from '../../ui/direction.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CallStatusBadge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Duration } from '../../ui/time.tsx';

/** Every call that has not ended. */
export function LivePage() {
  const calls = useOpenCalls();
  const agents = useAgents();
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]));
  const columns: Column<CallSummary>[] = [
    { title: 'With', cell: (call) => <span className="number strong nowrap">{otherSide(call)}</span> },
    { title: 'State', cell: ({ call_status }) => <CallStatusBadge status={call_status} /> },
    {
      title: 'Agent',
      cell: ({ agent_id }) => <span className="clip-line">{(agent_id && names.get(agent_id)) ?? '–'}</span>,
      isMinor: true,
    },
    { title: 'Direction', cell: ({ direction }) => <DirectionLabel direction={direction} />, isMinor: true },
    {
      title: 'Duration',
      cell: ({ started_at, created_at }) => <Duration seconds={null} since={started_at ?? created_at} />,
      isNumber: true,
    },
  ];
  return (
    <Page title="Live" text="Calls that ring or talk now.">
      {calls.isPending && <Skeleton />}
      {calls.error && <Failure error={calls.error} onRetry={calls.refetch} />}
      {calls.data?.length === 0 && (
        <Empty
          title="No call is open"
          text="It appears here as soon as it rings."
          to="/agents"
          action="Let an agent call you"
        />
      )}
      {calls.data && calls.data.length > 0 && (
        <Table
          label="Open calls"
          columns={columns}
          rows={calls.data}
          keyOf={({ call_id }) => call_id}
          linkOf={({ call_id }) => `/calls/${call_id}`}
        />
      )}
    </Page>
  );
}
