import type { AuditEntry } from '@switchboard/client';
import { useSearchParams } from 'wouter';
import { AUDIT_FILTERS, type AuditFilters, useAuditDownload, useAuditLog } from '../../data/audit.ts';
import { Button } from '../../ui/button.tsx';
import { EventType } from '../../ui/callback-status.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type SetSearch, setterOf } from '../../ui/filters.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { AuditFilterBar } from './audit-filters.tsx';

/** Security-relevant actions, newest first, by the filters in the URL; all that they find as a file. */
export function AuditLog() {
  const [search, setSearch] = useSearchParams();
  const filters: AuditFilters = Object.fromEntries(
    AUDIT_FILTERS.flatMap((name) => (search.get(name) ? [[name, search.get(name)]] : [])),
  );
  const log = useAuditLog(filters);
  const download = useAuditDownload(filters);
  const rows = log.data?.pages.flatMap(({ items }) => items) ?? [];
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <AuditFilterBar search={search} setSearch={setSearch} />
      <div className="filters">
        <Button icon="down" onClick={() => download.mutate('csv')} disabled={download.isPending}>
          CSV
        </Button>
        <Button icon="down" onClick={() => download.mutate('ndjson')} disabled={download.isPending}>
          NDJSON
        </Button>
        <span className="muted small">
          {isFiltered ? 'All entries that match' : 'The whole log'}, with hashes. Days are UTC.
        </span>
      </div>
      {download.error && <Failure error={download.error} />}
      {log.isPending && <Skeleton />}
      {log.error && <Failure error={log.error} onRetry={log.refetch} />}
      {log.data && rows.length === 0 && <NoEntries isFiltered={isFiltered} />}
      {rows.length > 0 && (
        <Table label="Audit log" isDense columns={columnsOf(setSearch)} rows={rows} keyOf={({ id }) => id} />
      )}
      <More query={log} />
    </>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No entry matches" text="Try other filters." />;
  return (
    <Empty title="Nothing is logged yet" text="Privileged changes and access to secrets and files are logged here." />
  );
}

function columnsOf(setSearch: SetSearch): Column<AuditEntry>[] {
  const set = setterOf(setSearch);
  return [
    { title: 'Action', cell: (entry) => <Action entry={entry} /> },
    {
      title: 'By',
      cell: ({ actor, actor_name }) => (
        <Filter value={actor} onChoose={() => set('actor', actor)}>
          {actor_name ?? actor}
        </Filter>
      ),
    },
    { title: 'User', cell: ({ user_id }) => <span className="clip-line">{user_id ?? '–'}</span>, isMinor: true },
    {
      title: 'Target',
      isText: true,
      cell: ({ target }) => (
        <Filter value={target} onChoose={() => set('target', target)}>
          {target}
        </Filter>
      ),
      isMinor: true,
    },
    { title: 'Detail', cell: (entry) => <Detail entry={entry} />, isMinor: true },
    { title: 'Address', cell: ({ ip }) => <span className="muted number">{ip}</span>, isExtra: true },
    { title: 'At', cell: ({ at }) => <Time at={at} precise />, isNumber: true },
  ];
}

/** The action; with its outcome unless it succeeded. */
function Action({ entry: { action, outcome, count } }: { entry: AuditEntry }) {
  const times = count > 1 ? `, ${count} times` : '';
  return (
    <span className="stack">
      <EventType type={action} />
      {(outcome !== 'succeeded' || times) && (
        <Badge tone={outcome === 'succeeded' ? 'quiet' : 'bad'}>{`${outcome}${times}`}</Badge>
      )}
    </span>
  );
}

/** A value whose entries are shown on demand. */
function Filter({ value, onChoose, children }: { value: string; onChoose: () => void; children: string }) {
  return (
    <button type="button" className="text-button clip-line" title={`Only ${value}`} onClick={onChoose}>
      {children}
    </button>
  );
}

function Detail({ entry: { detail, before, after } }: { entry: AuditEntry }) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changes = fields.map((name) => `${name}: ${textOf(before?.[name])} → ${textOf(after?.[name])}`);
  const text = [detail, ...changes].filter((part) => part).join('\n');
  return (
    <span className="muted clip-line" title={text}>
      {text}
    </span>
  );
}

const textOf = (value: unknown) => (value === undefined ? '–' : JSON.stringify(value));
