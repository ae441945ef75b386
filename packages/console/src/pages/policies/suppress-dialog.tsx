import type { SuppressionEntry } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { startOfDay } from '../../data/day.ts';
import { PURPOSES } from '../../data/dial-rules.ts';
import { useSuppressionActions } from '../../data/policies.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plainNumber } from './plain-number.ts';

/** Suppresses one number. */
export function SuppressDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const { add } = useSuppressionActions();
  const [phone, setPhone] = useState(number);
  const [reason, setReason] = useState<NonNullable<SuppressionEntry['reason']>>('asked');
  const [calls, setCalls] = useState('user:');
  const [until, setUntil] = useState('');
  // The day is part of it.
  const expires_at = until ? startOfDay(until, 1) : null;
  const isNoDay = until !== '' && expires_at === null;
  const [scope, scope_id] = calls.split(':') as [NonNullable<SuppressionEntry['scope']>, string];
  const entry = { phone_number: plainNumber(phone), reason, scope, scope_id, expires_at };
  return (
    <FormDialog
      title="Suppress a number"
      action="Suppress"
      isBusy={add.isPending}
      isDisabled={isNoDay}
      onSubmit={() => add.mutate(entry, { onSuccess: onClose })}
      onClose={onClose}
      ask={(api) => api.suppressions.add({ entries: [entry] })}
    >
      <Field label="Number" error={add.error && messageOf(add.error)}>
        <input
          type="tel"
          value={phone}
          onChange={({ target }) => setPhone(target.value)}
          placeholder="+1 500 555 0199"
          required
        />
      </Field>
      <Field label="Reason">
        <select value={reason} onChange={({ target }) => setReason(target.value as typeof reason)}>
          <option value="asked">The person asked for it</option>
          <option value="wrong_number">It is a wrong number</option>
          <option value="registry">It is in a public registry</option>
          <option value="imported">It is in a list of ours</option>
        </select>
      </Field>
      <CallChoice value={calls} onChange={setCalls} />
      <Field
        label="Until"
        hint="Empty: for good. This day included."
        error={isNoDay ? 'The year of a day has four digits.' : null}
      >
        <input type="date" value={until} onChange={({ target }) => setUntil(target.value)} />
      </Field>
    </FormDialog>
  );
}

/** Which calls a suppression is about: `user:`, `purpose:marketing`, or `agent:` with an id. */
function CallChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const agents = useAgents().data ?? [];
  return (
    <Field label="Calls">
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="user:">All</option>
        {PURPOSES.map((purpose) => (
          <option key={purpose} value={`purpose:${purpose}`}>{`For ${purpose}`}</option>
        ))}
        {agents.map(({ id, name }) => (
          <option key={id} value={`agent:${id}`}>{`By ${name}`}</option>
        ))}
      </select>
    </Field>
  );
}
