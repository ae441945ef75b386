import { useState } from 'react';
import { releaseOf } from '../../../data/arms.ts';
import { useReleaseActions, useVersion } from '../../../data/versions.ts';
import { messageOf } from '../../../ui/failure.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ChangeList } from './change-list.tsx';
import { ShareSlider } from './share-slider.tsx';

interface Props {
  agentId: string;
  version: number;
  /** The version that most calls get. */
  current: number;
  onClose: () => void;
}

/** Shows how a version differs from the one that most calls get, and has calls get it. */
export function ReleaseDialog({ agentId, version, current, onClose }: Props) {
  const [before, after] = [useVersion(agentId, current), useVersion(agentId, version)];
  const { release } = useReleaseActions(agentId);
  const [weight, setWeight] = useState(100);
  const error = release.error ?? before.error ?? after.error;
  const submit = () => release.mutate(releaseOf(version, weight, current), { onSuccess: onClose });
  return (
    <FormDialog
      title={`Release version ${version}`}
      action="Release"
      isWide
      isBusy={release.isPending}
      onSubmit={submit}
      onClose={onClose}
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
      {error && (
        <p className="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </FormDialog>
  );
}
