import type { AgentVersionSummary, ReleaseArm } from '@switchboard/client';
import { Button } from '../../../ui/button.tsx';
import { Badge } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';

interface Options {
  rows: AgentVersionSummary[];
  /** The versions that calls get. */
  arms: ReleaseArm[];
  onRelease: (version: AgentVersionSummary) => void;
  onCompare: (numbers: { from: number; to: number }) => void;
}

/** The columns of the list of versions, newest first. */
export function versionColumns({ rows, arms, onRelease, onCompare }: Options): Column<AgentVersionSummary>[] {
  const weightOf = (number: number) => arms.find(({ version }) => version === number)?.weight ?? 0;
  const olderThan = (number: number) => rows.find((row) => row.number < number)?.number;
  return [
    {
      title: 'Version',
      cell: ({ number, note }) => (
        <span className="stack">
          <span className="strong">{number}</span>
          <span className="muted anywhere">{note ?? 'No note'}</span>
        </span>
      ),
    },
    { title: 'Calls', cell: ({ number, released_at }) => <Share weight={weightOf(number)} releasedAt={released_at} /> },
    { title: 'Made', isMinor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    { title: 'By', isMinor: true, cell: ({ created_by }) => <span className="anywhere">{created_by}</span> },
    {
      title: 'Actions',
      isNumber: true,
      cell: ({ number, ...rest }) => {
        const from = olderThan(number);
        return (
          <span className="cell-actions">
            {from !== undefined && <Button onClick={() => onCompare({ from, to: number })}>Changes</Button>}
            {weightOf(number) < 100 && (
              <Button needs="releaseAgent" onClick={() => onRelease({ number, ...rest })}>
                Release…
              </Button>
            )}
          </span>
        );
      },
    },
  ];
}

function Share({ weight, releasedAt }: { weight: number; releasedAt: string | null }) {
  if (weight > 0) return <Badge tone="good">{`${weight} %`}</Badge>;
  return <span className="muted">{releasedAt ? 'Before' : 'Never'}</span>;
}
