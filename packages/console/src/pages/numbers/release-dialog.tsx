import type { OwnedNumber } from '@switchboard/client';
import { formatNumber } from '../../data/numbers.ts';
import { useReleaseNumber } from '../../data/phone-numbers.ts';
import { Confirm } from '../../ui/confirm.tsx';

/** Releases a number from its agent. */
export function ReleaseDialog({ number, onClose }: { number: OwnedNumber; onClose: () => void }) {
  const release = useReleaseNumber(number.agent_id ?? '');
  return (
    <Confirm
      title={`Release ${formatNumber(number.phone_number)}?`}
      text="At the carrier, the number gets back the route that it had before the assignment. It stays in the account."
      action="Release"
      mutation={release}
      onClose={onClose}
    />
  );
}
