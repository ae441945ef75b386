import type { Suppression } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { dayOf } from '../../data/day.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useSuppressionActions, useSuppressionDownload, useSuppressions } from '../../data/policies.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { NumberSearch, useNumberSearch } from './number-search.tsx';
import { SuppressDialog } from './suppress-dialog.tsx';
import { SuppressFile } from './suppress-file.tsx';

const REASONS = {
  asked: 'Asked not to be called',
  imported: 'From a list',
  registry: 'Public registry',
  wrong_number: 'Wrong number',
} satisfies Record<Suppression['reason'], string>;

/** Numbers that are not called. */
export function SuppressionList() {
  const { number, ...search } = useNumberSearch();
  const list = useSuppressions(number);
  const { remove } = useSuppressionActions();
  const download = useSuppressionDownload();
  const [open, setOpen] = useState<'number' | 'file' | null>(null);
  const [allowing, setAllowing] = useState<Suppression | null>(null);
  const ask = (suppression: Suppression) => {
    // An error about another number says nothing about this one.
    remove.reset();
    setAllowing(suppression);
  };
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className="filters">
        <NumberSearch {...search} />
        <Button needs="addSuppressions" kind="primary" icon="plus" onClick={() => setOpen('number')}>
          Suppress a number
        </Button>
        <Button needs="addSuppressions" icon="up" onClick={() => setOpen('file')}>
          Import a file
        </Button>
        <Button icon="down" onClick={() => download.mutate()} disabled={download.isPending}>
          CSV
        </Button>
      </div>
      {download.error && <Failure error={download.error} />}
      {list.isPending && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && <NoSuppressions number={number} />}
      {rows.length > 0 && (
        <Table label="Suppressed numbers" columns={columnsOf(ask)} rows={rows} keyOf={({ id }) => id} />
      )}
      <More query={list} />
      {open === 'number' && <SuppressDialog number={number} onClose={() => setOpen(null)} />}
      {open === 'file' && <SuppressFile onClose={() => setOpen(null)} />}
      {allowing && (
        <Confirm
          title={`Allow calls to ${formatNumber(allowing.phone_number)}?`}
          text={`Suppressed since ${dayOf(allowing.created_at)}: ${REASONS[allowing.reason].toLowerCase()}. From now on it may be called again, as far as the policies allow.`}
          action="Allow"
          mutation={{ ...remove, mutate: (_, options) => remove.mutate(allowing.id, options) }}
          onClose={() => setAllowing(null)}
        />
      )}
    </>
  );
}

function NoSuppressions({ number }: { number: string }) {
  if (number) return <Empty title={`${formatNumber(number)} is not suppressed`} />;
  return (
    <Empty
      title="No number is suppressed"
      text="Numbers here are not called, from the moment they are added: people who asked not to be, and public registries."
    />
  );
}

function columnsOf(onAllow: (suppression: Suppression) => void): Column<Suppression>[] {
  return [
    {
      title: 'Number',
      cell: ({ phone_number, reason }) => (
        <span className="stack">
          <span className="number strong nowrap">{formatNumber(phone_number)}</span>
          <span className="narrow-only muted small">{REASONS[reason]}</span>
        </span>
      ),
    },
    { title: 'Reason', cell: ({ reason }) => REASONS[reason], isMinor: true },
    { title: 'Calls', cell: (suppression) => <Scope suppression={suppression} />, isMinor: true },
    {
      title: 'Evidence',
      cell: ({ call_id }) =>
        call_id ? <Link to={`/calls/${call_id}`}>The call</Link> : <span className="muted">–</span>,
      isMinor: true,
    },
    {
      title: 'Until',
      cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : <span className="muted">For good</span>),
      isNumber: true,
      isMinor: true,
    },
    { title: 'Since', cell: ({ created_at }) => <Time at={created_at} />, isNumber: true, isMinor: true },
    {
      title: 'Change',
      isNumber: true,
      cell: (suppression) => (
        <Button needs="deleteSuppression" onClick={() => onAllow(suppression)}>
          Allow
        </Button>
      ),
    },
  ];
}

function Scope({ suppression: { scope, scope_id } }: { suppression: Suppression }) {
  if (scope === 'user') return 'All';
  if (scope === 'agent') return <Link to={`/agents/${scope_id}`}>Of one agent</Link>;
  return scope === 'purpose' ? `For ${scope_id}` : 'Of one campaign';
}
