import type { AuditEntry } from '@switchboard/client';
import { useAuditLog } from '../../data/settings.ts';
import { EventType } from '../../ui/callback-status.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const COLUMNS: Column<AuditEntry>[] = [
  { title: 'Action', cell: ({ action }) => <EventType type={action} /> },
  { title: 'By', cell: ({ actor }) => <span className="clip-line">{actor}</span> },
  { title: 'User', cell: ({ user_id }) => <span className="clip-line">{user_id ?? '–'}</span>, isMinor: true },
  {
    title: 'Target',
    isText: true,
    cell: ({ target }) => (
      <code className="muted clip-line" title={target}>
        {target}
      </code>
    ),
    isMinor: true,
  },
  { title: 'Detail', cell: ({ detail }) => <span className="muted clip-line">{detail}</span>, isMinor: true },
  { title: 'Address', cell: ({ ip }) => <span className="muted number">{ip}</span>, isExtra: true },
  { title: 'At', cell: ({ at }) => <Time at={at} precise />, isNumber: true },
];

/** Security-relevant actions, newest first. */
export function AuditLog() {
  const log = useAuditLog();
  const rows = log.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {log.isPending && <Skeleton />}
      {log.error && <Failure error={log.error} onRetry={log.refetch} />}
      {log.data && rows.length === 0 && (
        <Empty
          title="Nothing is logged yet"
          text="Changes to keys, numbers and secrets, and erasures, are logged here."
        />
      )}
      {rows.length > 0 && <Table label="Audit log" isDense columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />}
      <More query={log} />
    </>
  );
}
