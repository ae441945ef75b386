import type { WorkItem, WorkKind } from '@switchboard/client';
import { useRetryWork, useWork } from '../../data/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const KINDS: Column<WorkKind>[] = [
  { title: 'Kind', cell: ({ kind }) => <span className="strong">{nameOf(kind)}</span> },
  { title: 'Waiting', cell: ({ waiting }) => waiting, isNumber: true },
  { title: 'Running', cell: ({ running }) => running, isNumber: true, isMinor: true },
  {
    title: 'Failing',
    cell: ({ failing }) => (failing > 0 ? <Badge tone="bad">{String(failing)}</Badge> : failing),
    isNumber: true,
  },
  {
    title: 'Due since',
    cell: ({ oldest_due_at }) => (oldest_due_at ? <Time at={oldest_due_at} /> : <span className="muted">–</span>),
    isNumber: true,
    isMinor: true,
  },
];

/** The work that the service has left to do in the background, and the part of it that fails. */
export function WorkList() {
  const work = useWork();
  const retry = useRetryWork();
  if (work.isPending) return <Skeleton />;
  if (!work.data) return <Failure error={work.error} onRetry={work.refetch} />;
  const { kinds, failing } = work.data;
  return (
    <>
      {work.error && <Failure error={work.error} onRetry={work.refetch} />}
      <p className="muted measure">
        Work in the background, done by whichever replica is free. Work that fails is tried again, after pauses of up to
        ten minutes, until it succeeds; tasks of workers are given up after a few attempts.
      </p>
      {failing.length > 0 && (
        <Section title="Failing">
          <Table
            label="Failing work"
            columns={failingColumns((id) => retry.mutate(id), retry.isPending ? retry.variables : null)}
            rows={failing}
            keyOf={({ id }) => id}
            isDense
          />
        </Section>
      )}
      {retry.error && <Failure error={retry.error} />}
      <Section title="All work">
        {kinds.length > 0 && failing.length === 0 && <p className="muted">Nothing fails.</p>}
        {kinds.length > 0 && <Table label="Work by kind" columns={KINDS} rows={kinds} keyOf={({ kind }) => kind} />}
        {kinds.length === 0 && <Empty title="Nothing is left to do" text="Work appears here until it is done." />}
      </Section>
    </>
  );
}

function failingColumns(onRetry: (id: string) => void, busy: string | null): Column<WorkItem>[] {
  return [
    {
      title: 'Work and error',
      cell: ({ kind, subject, last_error }) => (
        <span className="stack">
          <span className="strong">{nameOf(kind)}</span>
          {subject && <code className="muted small anywhere">{subject}</code>}
          <span className="muted anywhere">{last_error}</span>
        </span>
      ),
      isText: true,
    },
    { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true, isMinor: true },
    { title: 'Next attempt', cell: ({ due_at }) => <Time at={due_at} />, isNumber: true, isMinor: true },
    {
      title: 'Change',
      isNumber: true,
      cell: ({ id, is_running }) => (
        <Button needs="retryWork" onClick={() => onRetry(id)} isBusy={id === busy || is_running}>
          Run again
        </Button>
      ),
    },
  ];
}

/** `call_report` as “Call report”. */
function nameOf(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
