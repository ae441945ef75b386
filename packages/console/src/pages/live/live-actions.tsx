import { useEndCall } from '../../data/calls.ts';
import { useStartListening } from '../../data/listen.tsx';
import type { LiveCall } from '../../data/live-calls.ts';
import { otherSide } from '../../data/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** Buttons of an open call. A failure is shown on the button that failed. */
export function LiveActions({ call, onTransfer }: { call: LiveCall; onTransfer: (call: LiveCall) => void }) {
  const end = useEndCall(call.call_id);
  const { start, isListening } = useStartListening({ callId: call.call_id, title: otherSide(call) });
  return (
    <span className="row-actions">
      <IconButton
        needs="listenToCall"
        icon="headphones"
        label="Listen in"
        problem={start.error && messageOf(start.error)}
        aria-pressed={isListening}
        disabled={isListening || start.isPending}
        onClick={() => start.mutate()}
      />
      <IconButton
        needs="transferCall"
        icon="transfer"
        label="Transfer"
        disabled={call.call_status !== 'ANSWERED'}
        onClick={() => onTransfer(call)}
      />
      <Button
        needs="endCall"
        icon="hangup"
        className={end.error ? 'button hang-up problem' : 'button hang-up'}
        onClick={() => end.mutate()}
        isBusy={end.isPending}
        title={end.error ? messageOf(end.error) : undefined}
      >
        <span className="word">Hang up</span>
      </Button>
    </span>
  );
}
