import type { AgentCurrentRelease, Switchboard } from '@switchboard/client';
import { useState } from 'react';
import { mainOf, releaseOf } from '../../../data/arms.ts';
import { useGate } from '../../../data/gate.ts';
import { inPlaceOf } from '../../../data/release-gate.ts';
import { useReleaseActions, useVersion } from '../../../data/versions.ts';
import { messageOf } from '../../../ui/failure.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ChangeList } from './change-list.tsx';
import { GateField, GateRuns, useGateSuite } from './gate-fields.tsx';
import { ShareSlider } from './share-slider.tsx';

interface Props {
  agentId: string;
  version: number;
  /** The release that calls get as this is opened. */
  before: AgentCurrentRelease;
  onClose: () => void;
}

/** Shows how a version differs from the one that most calls get, and has calls get it. */
export function ReleaseDialog({ agentId, version, onClose, ...opened }: Props) {
  // The release that was read here is replaced, or none: others may make another one meanwhile.
  const [shown] = useState(opened.before);
  const current = mainOf(shown.arms);
  const [before, after] = [useVersion(agentId, current), useVersion(agentId, version)];
  const { release } = useReleaseActions(agentId, shown);
  const { pass, runs } = useGate(agentId);
  const { suite, setSuite, isKnown } = useGateSuite(shown.gate);
  const [weight, setWeight] = useState(100);
  const error = release.error ?? before.error ?? after.error;
  const wanted = releaseOf(version, weight, current);
  const submit = () => {
    if (suite) pass.mutate({ suite, before: shown, prepare: async () => wanted }, { onSuccess: onClose });
    else release.mutate(wanted, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={`Release version ${version}`}
      action={suite ? 'Release if it passes' : 'Release'}
      isWide
      isBusy={release.isPending || pass.isPending}
      isDisabled={!isKnown}
      onSubmit={submit}
      onClose={onClose}
      {...(!suite && { ask: (api: Switchboard) => api.releases.put(agentId, wanted, inPlaceOf(shown)) })}
    >
      {version !== current && before.data && after.data && (
        <>
          <p className="muted">Compared with version {current}, which most calls get:</p>
          <ChangeList before={before.data} after={after.data} />
        </>
      )}
      {(before.isPending || after.isPending) && <Skeleton lines={3} />}
      {version === current ? (
        <p>Every call that begins from now on gets version {version}.</p>
      ) : (
        <ShareSlider label="Calls that get it" weight={weight} onChange={setWeight} current={current} />
      )}
      <GateField suite={suite} onChange={setSuite} isBusy={pass.isPending} />
      <GateRuns runs={runs} error={pass.error} />
      <Problem>{error && messageOf(error)}</Problem>
    </FormDialog>
  );
}
