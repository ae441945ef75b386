import type { CallDetail } from '@switchboard/client';
import { useState } from 'react';
import { useCallActions } from '../../data/calls.ts';
import { otherSide } from '../../data/numbers.ts';
import { useIsSandbox } from '../../data/service.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

const SANDBOX_TARGET = '+15005550101';

type How = 'COLD' | 'WARM' | 'ATTENDED';

interface Props {
  call: Pick<CallDetail, 'call_id' | 'direction' | 'from_number' | 'to_number'>;
  onClose: () => void;
}

/** Transfers a call to another phone. */
export function TransferDialog({ call, onClose }: Props) {
  const isSandbox = useIsSandbox();
  const [typed, setTyped] = useState<string | null>(null);
  const number = typed ?? (isSandbox ? SANDBOX_TARGET : '');
  const [how, setHow] = useState<How>(call.direction === 'WEB' ? 'WARM' : 'COLD');
  const [briefing, setBriefing] = useState('');
  const { transfer } = useCallActions(call.call_id);
  const submit = () => {
    const phone_number = number.replaceAll(/[\s().-]/g, '');
    const text = briefing.trim();
    const attended = { type: 'WARM', attended: true, ...(text && { briefing: text }) } as const;
    transfer.mutate({ phone_number, ...(how === 'ATTENDED' ? attended : { type: how }) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={`Transfer the call with ${otherSide(call)}`}
      action="Transfer"
      isBusy={transfer.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="To" error={transfer.error && messageOf(transfer.error)}>
        <input type="tel" value={number} onChange={(event) => setTyped(event.target.value)} required />
      </Field>
      <Ways how={how} choose={setHow} isWeb={call.direction === 'WEB'} />
      {how === 'ATTENDED' && (
        <Field label="What the agent tells them (optional)">
          <textarea value={briefing} onChange={(event) => setBriefing(event.target.value)} maxLength={1000} rows={3} />
        </Field>
      )}
    </FormDialog>
  );
}

const WAYS: Record<How, { name: string; meaning: string }> = {
  COLD: { name: 'Cold', meaning: 'The caller is connected to the phone, and the agent leaves.' },
  WARM: { name: 'Warm', meaning: 'The phone joins the caller and the agent; the agent leaves when it is done.' },
  ATTENDED: {
    name: 'Attended',
    meaning: 'The caller hears music while the agent asks the phone whether it takes the call.',
  },
};

function Ways({ how, choose, isWeb }: { how: How; choose: (how: How) => void; isWeb: boolean }) {
  return (
    <fieldset className="radios">
      <legend className="label">How</legend>
      {Object.entries(WAYS).map(([way, { name, meaning }]) => (
        <label key={way}>
          <input
            type="radio"
            checked={how === way}
            onChange={() => choose(way as How)}
            disabled={isWeb && way === 'COLD'}
          />
          <span>
            <span className="strong">{name}</span>
            <span className="muted">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
