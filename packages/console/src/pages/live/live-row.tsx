import { createContext, memo, useContext } from 'react';
import { Link } from 'wouter';
import { useLiveCall } from '../../data/live.tsx';
import type { LiveCall } from '../../data/live-calls.ts';
import { otherSide } from '../../data/numbers.ts';
import { Money } from '../../ui/money.tsx';
import { CallStatusBadge } from '../../ui/status.tsx';
import { Duration } from '../../ui/time.tsx';
import type { VirtualColumn } from '../../ui/virtual-table.tsx';
import { LiveActions, type OnAsk } from './live-actions.tsx';

export const COLUMNS: VirtualColumn[] = [
  { title: 'With' },
  { title: 'State' },
  { title: 'Agent', isMinor: true },
  { title: 'Last sentence', isBelow: true },
  { title: 'Duration', isNumber: true },
  { title: 'Cost', isNumber: true, isBelow: true },
  { title: 'Actions', isNumber: true, isBelow: true },
];

/** While all users are shown, the user replaces the agent. */
export const COLUMNS_OF_ALL = COLUMNS.map((column) =>
  column.title === 'Agent' ? { ...column, title: 'User' } : column,
);

/** Names of agents by their ids, read once for all rows; null while all users are shown. */
export const AgentNames = createContext<ReadonlyMap<string, string> | null>(null);

/** One open call. It subscribes separately, so that changes of other calls do not render it again. */
export function LiveRow({ id, onAsk }: { id: string; onAsk: OnAsk }) {
  const call = useLiveCall(id);
  return call ? <Cells call={call} onAsk={onAsk} /> : null;
}

const Cells = memo(function Cells({ call, onAsk }: { call: LiveCall; onAsk: OnAsk }) {
  const names = useContext(AgentNames);
  const owner = names ? (names.get(call.agent_id ?? '') ?? '–') : call.user_id;
  return (
    // biome-ignore-start lint/a11y: cells of a table whose rows are positioned manually.
    <>
      <span role="cell">
        <Link to={`/calls/${call.call_id}`} className="row-link number strong nowrap">
          {otherSide(call)}
        </Link>
      </span>
      <span role="cell">
        <CallStatusBadge status={call.call_status} />
      </span>
      <span role="cell" className="minor clip" title={owner}>
        {owner}
      </span>
      <span role="cell" className="said clip muted" title={call.lastLine ?? undefined}>
        {call.lastLine ?? <span className="narrow-only">Nothing has been said yet.</span>}
      </span>
      <span role="cell" className="right">
        <Duration seconds={null} since={call.started_at ?? call.created_at} />
      </span>
      <span role="cell" className="cost right">
        {call.cost ? <Money amount={call.cost} /> : <span className="muted">–</span>}
      </span>
      <span role="cell" className="act right">
        <LiveActions call={call} onAsk={onAsk} />
      </span>
    </>
    // biome-ignore-end lint/a11y: see above.
  );
});
