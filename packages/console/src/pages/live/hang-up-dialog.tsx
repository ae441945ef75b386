import { useEndCall } from '../../data/calls.ts';
import type { LiveCall } from '../../data/live-calls.ts';
import { otherSide } from '../../data/numbers.ts';
import { Confirm } from '../../ui/confirm.tsx';

/** Ends a call. */
export function HangUpDialog({ call, onClose }: { call: LiveCall; onClose: () => void }) {
  const end = useEndCall(call.call_id);
  return (
    <Confirm
      title={`Hang up on ${otherSide(call)}?`}
      text="The call ends at once."
      action="Hang up"
      mutation={end}
      ask={(api) => api.calls.end(call.call_id)}
      onClose={onClose}
    />
  );
}
