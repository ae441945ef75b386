import type { ConsentPost, Purpose } from '@switchboard/client';
import { useState } from 'react';
import { PURPOSES } from '../../data/dial-rules.ts';
import { localTime } from '../../data/local-time.ts';
import { useConsentActions } from '../../data/policies.ts';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plainNumber } from './plain-number.ts';

const FIELDS = [
  ['text', 'What was agreed to, in its words', 'Yes, call me about offers.'],
  ['channel', 'How it was obtained', 'web form'],
  ['kind', 'Kind', 'express_written'],
] as const;

/** Records a consent. It is added and revoked, never changed. */
export function ConsentDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const { add } = useConsentActions();
  const [phone, setPhone] = useState(number);
  const [purpose, setPurpose] = useState<Purpose>('marketing');
  const [texts, setTexts] = useState({ text: '', channel: '', kind: '' });
  const [opened] = useState(() => localTime(new Date()));
  /** Null for now. Its seconds count: a consent after a revocation is later than it, even within the same minute. */
  const [at, setAt] = useState<string | null>(null);
  const [url, setUrl] = useState('');
  const consent = (): ConsentPost => {
    const obtained_at = (at === null ? new Date() : new Date(at)).toISOString();
    return { phone_number: plainNumber(phone), purpose, ...texts, obtained_at, evidence_url: url || null };
  };
  return (
    <FormDialog
      title="Record a consent"
      action="Record"
      isBusy={add.isPending}
      onSubmit={() => add.mutate(consent(), { onSuccess: onClose })}
      onClose={onClose}
      ask={async (api) => api.consents.add(consent())}
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
      <Field label="To calls for">
        <select value={purpose} onChange={({ target }) => setPurpose(target.value as Purpose)}>
          {PURPOSES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Field>
      <TextFields texts={texts} onChange={setTexts} />
      <Field label="When">
        <input type="datetime-local" value={at ?? opened} onChange={({ target }) => setAt(target.value)} required />
      </Field>
      <Field label="Where the evidence is kept" hint="An address, if there is one.">
        <input type="url" value={url} onChange={({ target }) => setUrl(target.value)} />
      </Field>
    </FormDialog>
  );
}

type Texts = Record<(typeof FIELDS)[number][0], string>;

function TextFields({ texts, onChange }: { texts: Texts; onChange: (texts: Texts) => void }) {
  return FIELDS.map(([name, label, placeholder]) => (
    <Field key={name} label={label}>
      <input
        value={texts[name]}
        placeholder={placeholder}
        onChange={({ target }) => onChange({ ...texts, [name]: target.value })}
        required
      />
    </Field>
  ));
}
