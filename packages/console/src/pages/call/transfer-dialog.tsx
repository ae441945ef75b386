import type { CallDetail, TransferType } from '@switchboard/client';
import { useState } from 'react';
import { useCallActions } from '../../data/calls.ts';
import { useIsSandbox } from '../../data/service.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

const SANDBOX_TARGET = '+15005550101';

interface Props {
  call: Pick<CallDetail, 'call_id' | 'direction'>;
  onClose: () => void;
}

/** Transfers a call to another phone. */
export function TransferDialog({ call, onClose }: Props) {
  const isSandbox = useIsSandbox();
  const [typed, setTyped] = useState<string | null>(null);
  const number = typed ?? (isSandbox ? SANDBOX_TARGET : '');
  const [type, setType] = useState<TransferType>(call.direction === 'WEB' ? 'WARM' : 'COLD');
  const { transfer } = useCallActions(call.call_id);
  const submit = () => {
    transfer.mutate({ phone_number: number.replaceAll(/[\s().-]/g, ''), type }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title="Transfer the call"
      action="Transfer"
      isBusy={transfer.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="To" error={transfer.error && messageOf(transfer.error)}>
        <input type="tel" value={number} onChange={(event) => setTyped(event.target.value)} required />
      </Field>
      <fieldset className="radios">
        <legend className="label">How</legend>
        <label>
          <input
            type="radio"
            checked={type === 'COLD'}
            onChange={() => setType('COLD')}
            disabled={call.direction === 'WEB'}
          />
          <span>
            <span className="strong">Cold</span>
            <span className="muted">The caller is connected to the phone, and the agent leaves.</span>
          </span>
        </label>
        <label>
          <input type="radio" checked={type === 'WARM'} onChange={() => setType('WARM')} />
          <span>
            <span className="strong">Warm</span>
            <span className="muted">The phone joins the caller and the agent; the agent leaves when it is done.</span>
          </span>
        </label>
      </fieldset>
    </FormDialog>
  );
}
