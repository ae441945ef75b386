import type { OwnedNumber } from '@switchboard/client';
import { formatNumber } from '../../data/numbers.ts';
import { useReleaseNumber } from '../../data/phone-numbers.ts';
import { Confirm } from '../../ui/confirm.tsx';

/** Takes a number away from its agent. */
export function ReleaseDialog({ number, onClose }: { number: OwnedNumber; onClose: () => void }) {
  const release = useReleaseNumber(number.agent_id ?? '');
  return (
    <Confirm
      title={`Release ${formatNumber(number.phone_number)}?`}
      text="At the carrier, its route goes back to what it was before the assignment. The number stays in the account: it is never given up."
      action="Release"
      mutation={release}
      onClose={onClose}
    />
  );
}
