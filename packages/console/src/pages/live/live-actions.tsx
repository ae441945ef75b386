import { useStartListening } from '../../data/listen.tsx';
import type { LiveCall } from '../../data/live-calls.ts';
import { otherSide } from '../../data/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** Actions that are confirmed for a call that is named: its row moves when other calls come and go. */
export type LiveAsked = 'transfer' | 'hang up';
export type OnAsk = (what: LiveAsked, call: LiveCall) => void;

/** Buttons of an open call. A failure is shown on the button that failed. */
export function LiveActions({ call, onAsk }: { call: LiveCall; onAsk: OnAsk }) {
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
        onClick={() => onAsk('transfer', call)}
      />
      <Button needs="endCall" icon="hangup" className="button hang-up" onClick={() => onAsk('hang up', call)}>
        <span className="word">Hang up</span>
      </Button>
    </span>
  );
}
