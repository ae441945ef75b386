import type { AgentCurrentRelease, AgentVersionSummary } from '@switchboard/client';
import { useState } from 'react';
import { inPlaceOf } from '../../../data/release-gate.ts';
import { FIGURES_DAYS, useVersionFigures } from '../../../data/version-figures.ts';
import { useRelease, useReleaseActions, useVersions } from '../../../data/versions.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { More } from '../../../ui/more.tsx';
import { useMay } from '../../../ui/permission.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { versionColumns } from './version-columns.tsx';

/** Every version of an agent, and which of them calls get. */
export function VersionsTab({ agentId }: { agentId: string }) {
  const versions = useVersions(agentId);
  const release = useRelease(agentId);
  const figures = useVersionFigures(agentId, useMay('getAnalysisStats'));
  const [released, setReleased] = useState<AgentVersionSummary | null>(null);
  const [compared, setCompared] = useState<{ from: number; to: number } | null>(null);
  const rows = versions.data?.pages.flatMap(({ items }) => items) ?? [];
  const error = versions.error ?? release.error;
  const failure = error && <Failure error={error} onRetry={versions.error ? versions.refetch : release.refetch} />;
  if (!versions.data || !release.data) return failure ?? <Skeleton />;
  const { arms } = release.data;
  return (
    <div className="form">
      {failure}
      {figures.error && <Failure error={figures.error} onRetry={figures.refetch} />}
      <Current agentId={agentId} release={release.data} />
      <Table
        label="Versions"
        columns={versionColumns({ rows, arms, figures: figures.data, onRelease: setReleased, onCompare: setCompared })}
        rows={rows}
        keyOf={({ number }) => `${number}`}
      />
      <p className="muted small">
        Calls and their figures are those of the last {FIGURES_DAYS} days. Costs of chats count, too.
      </p>
      <More query={versions} />
      {released && (
        <ReleaseDialog
          agentId={agentId}
          version={released.number}
          before={release.data}
          onClose={() => setReleased(null)}
        />
      )}
      {compared && <ChangesDialog agentId={agentId} {...compared} onClose={() => setCompared(null)} />}
    </div>
  );
}

function Current({ agentId, release }: { agentId: string; release: AgentCurrentRelease }) {
  // The release that was shown when the question was asked: another one is not rolled back.
  const [asked, setAsked] = useState<AgentCurrentRelease | null>(null);
  const { rollBack } = useReleaseActions(agentId, asked ?? release);
  const { arms, created_at, created_by, previous, repeats } = release;
  return (
    <div className="notice row">
      <p>
        <strong>Calls get {listOf(arms)}.</strong>{' '}
        <span className="muted">
          {repeats === null ? 'Released' : 'Rolled back'} <Time at={created_at} /> by {created_by}.
        </span>
      </p>
      {previous !== null && (
        <Button needs="rollBackAgent" icon="back" onClick={() => setAsked(release)}>
          Roll back
        </Button>
      )}
      {asked && (
        <Confirm
          title="Roll back to the previous release?"
          text={`Calls that begin from now on get what was released before ${listOf(asked.arms)}. Calls that are open keep their version, and the draft stays.`}
          action="Roll back"
          mutation={rollBack}
          ask={(api) => api.releases.rollBack(agentId, inPlaceOf(asked))}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

const listOf = (arms: AgentCurrentRelease['arms']) =>
  arms.map(({ version, weight }) => `version ${version} (${weight} %)`).join(' and ');
