import type { Agent, CallSummary } from '@switchboard/client';
import { createContext, memo, useContext, useMemo } from 'react';
import { Link } from 'wouter';
import { columnText, headingOf } from '../../data/analysis-words.ts';
import { explainEnd } from '../../data/end-reasons.ts';
import { otherSide } from '../../data/numbers.ts';
import { DirectionLabel } from '../../ui/direction.tsx';
import { Money } from '../../ui/money.tsx';
import { CallStatusBadge } from '../../ui/status.tsx';
import { Duration, Time } from '../../ui/time.tsx';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table.tsx';

/** Gives its room to the answers of extractors, if some are shown. */
const WHY = 'Why it ended';

const columnsOf = (owner: 'Agent' | 'User'): VirtualColumn[] => [
  { title: 'With' },
  { title: 'State' },
  { title: 'Direction', isExtra: true },
  { title: owner, isMinor: true },
  { title: WHY, isMinor: true },
  { title: 'Duration', isNumber: true, isMinor: true },
  { title: 'Cost', isNumber: true, isMinor: true },
  { title: 'Started', isNumber: true, isMinor: true },
];

const COLUMNS = columnsOf('Agent');
/** While all users are shown, the user replaces the agent. */
const COLUMNS_OF_ALL = columnsOf('User');

interface Rows {
  /** Fields of analyses that have a column. */
  values: string[];
  calls: Map<string, CallSummary>;
  /** Null while all users are shown. */
  names: Map<string, string> | null;
}

const RowsContext = createContext<Rows>({ values: [], calls: new Map(), names: null });

interface Props {
  /** Fields of analyses, each a column. */
  values: string[];
  calls: CallSummary[];
  /** Null while all users are shown. */
  agents: Agent[] | null;
  /** Reads the next page, if there is one. */
  more: (() => unknown) | undefined;
}

/** The history of calls; the next page is read as the last rows become visible. */
export function CallList({ calls, agents, values: chosen, more }: Props) {
  const fields = chosen.join(',');
  const values = useMemo(() => (fields ? fields.split(',') : []), [fields]);
  const rows = useMemo(
    () => ({
      values,
      calls: new Map(calls.map((call) => [call.call_id, call])),
      names: agents && new Map(agents.map(({ id, name }) => [id, name])),
    }),
    [calls, agents, values],
  );
  const ids = useMemo(() => [...rows.calls.keys()], [rows]);
  const columns = useMemo(
    () => [
      ...(agents ? COLUMNS : COLUMNS_OF_ALL).filter(({ title }) => values.length === 0 || title !== WHY),
      ...values.map((field) => ({ title: headingOf(field), isMinor: true })),
    ],
    [agents, values],
  );
  return (
    <RowsContext value={rows}>
      <VirtualTable
        more={values.length}
        label="Calls"
        layout="history-columns"
        columns={columns}
        ids={ids}
        Row={CallRow}
        onEnd={more}
      />
    </RowsContext>
  );
}

function CallRow({ id }: { id: string }) {
  const { calls, names, values } = useContext(RowsContext);
  const call = calls.get(id);
  if (!call) return null;
  return <Cells call={call} owner={names ? (names.get(call.agent_id ?? '') ?? '–') : call.user_id} values={values} />;
}

interface CellProps {
  call: CallSummary;
  owner: string;
  values: string[];
}

const Cells = memo(function Cells({ call, owner, values }: CellProps) {
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
          {values
            .map((field) => textIn(call, field))
            .filter(Boolean)
            .map((text) => ` · ${text}`)}
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
      {values.length === 0 && (
        <span role="cell" className="minor clip muted" title={why}>
          {why}
        </span>
      )}
      <span role="cell" className="minor right">
        <Duration seconds={duration} since={ended_at ? null : started_at} />
      </span>
      <span role="cell" className="minor right">
        {total_cost === undefined ? '–' : <Money amount={total_cost} />}
      </span>
      <span role="cell" className="minor right">
        <Time at={created_at} />
      </span>
      {values.map((field) => (
        <span key={field} role="cell" className="minor clip" title={textIn(call, field) ?? undefined}>
          {textIn(call, field) ?? <span className="muted">–</span>}
        </span>
      ))}
    </>
    // biome-ignore-end lint/a11y: see above.
  );
});

const textIn = ({ analysis }: CallSummary, field: string) => columnText(field, analysis?.[field]);
