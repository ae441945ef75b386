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

const COLUMNS: VirtualColumn[] = [
  { title: 'With' },
  { title: 'State' },
  { title: 'Direction', isExtra: true },
  { title: 'Agent', isMinor: true },
  { title: 'Why it ended', isMinor: true },
  { title: 'Duration', isNumber: true, isMinor: true },
  { title: 'Cost', isNumber: true, isMinor: true },
  { title: 'Started', isNumber: true, isMinor: true },
];

interface Rows {
  calls: Map<string, CallSummary>;
  names: Map<string, string>;
}

const RowsContext = createContext<Rows>({ calls: new Map(), names: new Map() });

interface Props {
  calls: CallSummary[];
  agents: Agent[];
  /** Reads more of them, while there are more. */
  more: (() => unknown) | undefined;
}

/** Calls of the history, however many: more are read as the last ones come into sight. */
export function CallList({ calls, agents, more }: Props) {
  const rows = useMemo(
    () => ({
      calls: new Map(calls.map((call) => [call.call_id, call])),
      names: new Map(agents.map(({ id, name }) => [id, name])),
    }),
    [calls, agents],
  );
  const ids = useMemo(() => [...rows.calls.keys()], [rows]);
  return (
    <RowsContext value={rows}>
      <VirtualTable label="Calls" layout="history-columns" columns={COLUMNS} ids={ids} Row={CallRow} onEnd={more} />
    </RowsContext>
  );
}

function CallRow({ id }: { id: string }) {
  const { calls, names } = useContext(RowsContext);
  const call = calls.get(id);
  return call ? <Cells call={call} agent={names.get(call.agent_id ?? '') ?? '–'} /> : null;
}

const Cells = memo(function Cells({ call, agent }: { call: CallSummary; agent: string }) {
  const { call_id, call_status, direction, end_reason, duration, started_at, ended_at, total_cost, created_at } = call;
  const why = end_reason ? explainEnd(end_reason) : undefined;
  return (
    // biome-ignore-start lint/a11y: cells of a table whose rows are placed by hand.
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
      <span role="cell" className="minor clip" title={agent}>
        {agent}
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
