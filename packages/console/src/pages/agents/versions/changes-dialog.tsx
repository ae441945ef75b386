import { useVersion } from '../../../data/versions.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ChangeList } from './change-list.tsx';

interface Props {
  agentId: string;
  /** Numbers of two versions. */
  from: number;
  to: number;
  onClose: () => void;
}

/** The changes from one version to another. */
export function ChangesDialog({ agentId, from, to, onClose }: Props) {
  const [before, after] = [useVersion(agentId, from), useVersion(agentId, to)];
  const error = before.error ?? after.error;
  return (
    <Dialog title={`Version ${to}, compared with version ${from}`} isOpen isWide onClose={onClose}>
      {error && <Failure error={error} />}
      {before.data && after.data ? <ChangeList before={before.data} after={after.data} /> : !error && <Skeleton />}
    </Dialog>
  );
}
