import type { DialDecision } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { useSaveDecisionEvidence } from '../../data/evidence.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useDecisions } from '../../data/policies.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { DialCheckDialog } from './dial-check-dialog.tsx';
import { NumberSearch, useNumberSearch } from './number-search.tsx';

/** Why somebody was called, or not. */
export function DecisionList() {
  const { number, ...search } = useNumberSearch();
  const list = useDecisions(number);
  const [isChecking, setChecking] = useState(false);
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className="filters">
        <NumberSearch {...search} />
        <Button needs="checkDial" onClick={() => setChecking(true)}>
          May a number be called now?
        </Button>
      </div>
      {list.isPending && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && (
        <Empty
          title={number ? `Nothing was decided about ${formatNumber(number)}` : 'Nothing was decided yet'}
          text="Each attempt to dial is decided once there is a policy, or a number is suppressed."
        />
      )}
      {rows.length > 0 && <Table label="Decisions" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      <More query={list} />
      {isChecking && <DialCheckDialog number={number} onClose={() => setChecking(false)} />}
    </>
  );
}

const COLUMNS: Column<DialDecision>[] = [
  {
    title: 'Number',
    cell: ({ phone_number, evaluated_at }) => (
      <span className="stack">
        <span className="number strong nowrap">{formatNumber(phone_number)}</span>
        <span className="muted small">
          <Time at={evaluated_at} precise />
        </span>
      </span>
    ),
  },
  { title: 'Decision', cell: (decision) => <Verdict verdict={decision} /> },
  {
    title: 'For',
    cell: ({ kind, purpose }) => (kind === 'transfer' ? 'a transfer' : purpose),
    isMinor: true,
  },
  {
    title: 'Policy',
    cell: ({ policy, policy_version }) =>
      policy ? (
        <Link
          to={`/policies/of/${policy}?version=${policy_version}`}
          className="nowrap"
        >{`${policy}, version ${policy_version}`}</Link>
      ) : (
        <span className="muted">None</span>
      ),
    isMinor: true,
  },
  {
    title: 'Call',
    cell: ({ call_id }) => (call_id ? <Link to={`/calls/${call_id}`}>Open</Link> : <span className="muted">–</span>),
    isMinor: true,
  },
  { title: 'Evidence', cell: (decision) => <Evidence decision={decision} />, isMinor: true },
];

/** The signed evidence of a decision, as a file. */
function Evidence({ decision: { id } }: { decision: DialDecision }) {
  const save = useSaveDecisionEvidence(id);
  return (
    <>
      <Button needs="getDecisionEvidence" onClick={() => save.mutate(undefined)} isBusy={save.isPending}>
        Download
      </Button>
      {save.error && <Failure error={save.error} />}
    </>
  );
}
