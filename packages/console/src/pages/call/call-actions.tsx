import type { CallDetail } from '@switchboard/client';
import { useState } from 'react';
import { useCallActions } from '../../data/calls.ts';
import { useStartListening } from '../../data/listen.tsx';
import { otherSide } from '../../data/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { MakeTest } from '../tests/make-test.tsx';
import { ReplayCall } from '../tests/replay-call.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

/** Buttons of a call: listen in, hang up, transfer, share, make a test of it, replay it. */
export function CallActions({ call }: { call: CallDetail }) {
  const { end, completeTransfer } = useCallActions(call.call_id);
  const [isTransferring, setTransferring] = useState(false);
  const isOpen = call.ended_at === null;
  const warm = call.transfers.find(({ transfer_type, status }) => transfer_type === 'WARM' && status === 'connected');
  const { start, isListening } = useStartListening({ callId: call.call_id, title: otherSide(call) });
  const error = end.error ?? completeTransfer.error ?? start.error;
  const link = `${location.origin}/console/calls/${call.call_id}?user=${encodeURIComponent(call.user_id)}`;
  return (
    <>
      {error && (
        <span className="problem" role="alert">
          {messageOf(error)}
        </span>
      )}
      <Copy text={link} label="Copy a link to this call" />
      {!isOpen && <MakeTest callId={call.call_id} />}
      {!isOpen && call.agent_id !== null && <ReplayCall callId={call.call_id} agentId={call.agent_id} />}
      {isOpen && (
        <Button
          needs="listenToCall"
          icon="headphones"
          onClick={() => start.mutate()}
          isBusy={start.isPending}
          disabled={isListening}
        >
          Listen in
        </Button>
      )}
      {isOpen && warm && (
        <TransferEnds isAttended={warm.attended} end={completeTransfer.mutate} isBusy={completeTransfer.isPending} />
      )}
      {isOpen && call.call_status === 'ANSWERED' && (
        <Button needs="transferCall" onClick={() => setTransferring(true)}>
          Transfer
        </Button>
      )}
      {isOpen && (
        <Button needs="endCall" kind="danger" onClick={() => end.mutate()} isBusy={end.isPending}>
          {call.call_status === 'RINGING' ? 'Cancel' : 'Hang up'}
        </Button>
      )}
      {isTransferring && <TransferDialog call={call} onClose={() => setTransferring(false)} />}
    </>
  );
}

/** The ends of a transfer whose target has answered; only the caller of an attended one is waiting for an end. */
function TransferEnds(props: { isAttended: boolean; end: (outcome: 'connect' | 'return') => void; isBusy: boolean }) {
  const { isAttended, end, isBusy } = props;
  return (
    <>
      <Button needs="completeTransfer" onClick={() => end('connect')} isBusy={isBusy}>
        {isAttended ? 'Connect the two' : 'Agent leaves'}
      </Button>
      {isAttended && (
        <Button needs="completeTransfer" onClick={() => end('return')} isBusy={isBusy}>
          Back to the agent
        </Button>
      )}
    </>
  );
}
