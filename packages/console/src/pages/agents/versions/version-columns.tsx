import type { AgentVersionSummary, ReleaseArm } from '@switchboard/client';
import type { ReactNode } from 'react';
import { durationOf } from '../../../data/durations.ts';
import type { VersionFigures } from '../../../data/version-figures.ts';
import { Button } from '../../../ui/button.tsx';
import { Money } from '../../../ui/money.tsx';
import { Badge } from '../../../ui/status.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { SuccessShare } from '../success-share.tsx';

interface Options {
  rows: AgentVersionSummary[];
  /** The versions that calls get. */
  arms: ReleaseArm[];
  figures: Map<number, VersionFigures> | undefined;
  onRelease: (version: AgentVersionSummary) => void;
  onCompare: (numbers: { from: number; to: number }) => void;
}

/** The columns of the list of versions, newest first. */
export function versionColumns({ rows, arms, figures, onRelease, onCompare }: Options): Column<AgentVersionSummary>[] {
  const weightOf = (number: number) => arms.find(({ version }) => version === number)?.weight ?? 0;
  const olderThan = (number: number) => rows.find((row) => row.number < number)?.number;
  return [
    { title: 'Version', cell: (version) => <VersionCell version={version} figures={figures?.get(version.number)} /> },
    { title: 'Gets', cell: ({ number, released_at }) => <Share weight={weightOf(number)} releasedAt={released_at} /> },
    ...figureColumns(figures),
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

interface CellProps {
  version: AgentVersionSummary;
  figures: VersionFigures | undefined;
}

/** Number, note and maker; on a phone also what its calls were like. */
function VersionCell({ version: { number, note, created_at, created_by }, figures }: CellProps) {
  return (
    <span className="stack version-name">
      <span className="strong">{number}</span>
      <span className="anywhere">{note ?? <span className="muted">No note</span>}</span>
      <span className="muted small anywhere">
        <Time at={created_at} /> by {created_by}
      </span>
      {figures && (
        <span className="muted small narrow-only">
          {figures.calls === 1 ? '1 call' : `${figures.calls} calls`}, {figures.success && 'success '}
          <SuccessShare {...figures} />
          {figures.costAMinute && (
            <>
              , <Money amount={figures.costAMinute} /> a minute
            </>
          )}
        </span>
      )}
    </span>
  );
}

/** Figures of the calls of each version; none before its first. */
function figureColumns(figures: Map<number, VersionFigures> | undefined): Column<AgentVersionSummary>[] {
  const of = (cell: (figures: VersionFigures) => ReactNode) => (version: AgentVersionSummary) => {
    const found = figures?.get(version.number);
    return found ? <span className="number nowrap">{cell(found)}</span> : <span className="muted">–</span>;
  };
  const number = { isNumber: true, isMinor: true };
  return [
    { ...number, title: 'Calls', cell: of(({ calls }) => calls.toLocaleString('en')) },
    { ...number, title: 'Success', cell: of((one) => <SuccessShare {...one} />) },
    { ...number, title: 'Cost a minute', cell: of(({ costAMinute: cost }) => (cost ? <Money amount={cost} /> : '–')) },
    {
      ...number,
      title: 'First sound',
      cell: of(({ latency }) =>
        latency ? (
          <span
            title={`p50 and p95 of ${latency.turns === 1 ? '1 turn' : `${latency.turns} turns`}, after the end of speech`}
          >
            {durationOf(latency.p50_ms)}, {durationOf(latency.p95_ms)}
          </span>
        ) : (
          '–'
        ),
      ),
    },
  ];
}

function Share({ weight, releasedAt }: { weight: number; releasedAt: string | null }) {
  if (weight > 0) return <Badge tone="good">{`${weight} %`}</Badge>;
  return <span className="muted">{releasedAt ? 'Before' : 'Never'}</span>;
}
