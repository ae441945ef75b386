import type { Agent, CallSummary } from '@switchboard/client';
import { createContext, memo, useContext, useMemo } from 'react';
import { Link } from 'wouter';
import { explainEnd } from '../../data/end-reasons.ts';
import { otherSide } from '../../data/numbers.ts';
import { DirectionLabel } from '../../ui/direction.tsx';
import { Money } from '../../ui/money.tsx';
import { CallStatusBadge } from '../../ui/status.tsx';
import { Duration, Time } from '../../ui/time.tsx';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table.tsx';

const columnsOf = (owner: 'Agent' | 'User'): VirtualColumn[] => [
  { title: 'With' },
  { title: 'State' },
  { title: 'Direction', isExtra: true },
  { title: owner, isMinor: true },
  { title: 'Why it ended', isMinor: true },
  { title: 'Duration', isNumber: true, isMinor: true },
  { title: 'Cost', isNumber: true, isMinor: true },
  { title: 'Started', isNumber: true, isMinor: true },
];

const COLUMNS = columnsOf('Agent');
/** While all users are shown, the user replaces the agent. */
const COLUMNS_OF_ALL = columnsOf('User');

interface Rows {
  calls: Map<string, CallSummary>;
  /** Null while all users are shown. */
  names: Map<string, string> | null;
}

const RowsContext = createContext<Rows>({ calls: new Map(), names: null });

interface Props {
  calls: CallSummary[];
  /** Null while all users are shown. */
  agents: Agent[] | null;
  /** Reads the next page, if there is one. */
  more: (() => unknown) | undefined;
}

/** The history of calls; the next page is read as the last rows become visible. */
export function CallList({ calls, agents, more }: Props) {
  const rows = useMemo(
    () => ({
      calls: new Map(calls.map((call) => [call.call_id, call])),
      names: agents && new Map(agents.map(({ id, name }) => [id, name])),
    }),
    [calls, agents],
  );
  const ids = useMemo(() => [...rows.calls.keys()], [rows]);
  return (
    <RowsContext value={rows}>
      <VirtualTable
        label="Calls"
        layout="history-columns"
        columns={agents ? COLUMNS : COLUMNS_OF_ALL}
        ids={ids}
        Row={CallRow}
        onEnd={more}
      />
    </RowsContext>
  );
}

function CallRow({ id }: { id: string }) {
  const { calls, names } = useContext(RowsContext);
  const call = calls.get(id);
  if (!call) return null;
  return <Cells call={call} owner={names ? (names.get(call.agent_id ?? '') ?? '–') : call.user_id} />;
}

const Cells = memo(function Cells({ call, owner }: { call: CallSummary; owner: string }) {
  const { call_id, call_status, direction, end_reason, duration, started_at, ended_at, total_cost, created_at } = call;
  const why = end_reason ? explainEnd(end_reason) : undefined;
  return (
    // biome-ignore-start lint/a11y: cells of a table whose rows are positioned manually.
    <>
      <span role="cell">
        <Link to={`/calls/${call_id}`} className="row-link number strong nowrap">
          {otherSide(call)}
        </Link>
        <span className="narrow-only muted small">
          <Time at={created_at} />
        </span>
      </span>
      <span role="cell">
        <CallStatusBadge status={call_status} />
      </span>
      <span role="cell" className="extra">
        <DirectionLabel direction={direction} />
      </span>
      <span role="cell" className="minor clip" title={owner}>
        {owner}
      </span>
      <span role="cell" className="minor clip muted" title={why}>
        {why}
      </span>
      <span role="cell" className="minor right">
        <Duration seconds={duration} since={ended_at ? null : started_at} />
      </span>
      <span role="cell" className="minor right">
        {total_cost === undefined ? '–' : <Money amount={total_cost} />}
      </span>
      <span role="cell" className="minor right">
        <Time at={created_at} />
      </span>
    </>
    // biome-ignore-end lint/a11y: see above.
  );
});
