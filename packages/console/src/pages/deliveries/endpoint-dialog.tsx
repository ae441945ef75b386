import type { WebhookEventType } from '@switchboard/client';
import { type FormEvent, useState } from 'react';
import { useEndpointActions } from '../../data/deliveries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';

const EVENTS: WebhookEventType[] = [
  'call.answered',
  'call.completed',
  'call.failed',
  'call.no_answer',
  'call.transferred',
  'call.transfer_failed',
  'call.report',
  'budget.threshold',
];

/** Adds a webhook endpoint. */
export function EndpointDialog({ onClose }: { onClose: () => void }) {
  const { create } = useEndpointActions();
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState(EVENTS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const events = chosen.length === EVENTS.length ? null : chosen;
    create.mutate({ url, events }, { onSuccess: onClose });
  };
  const toggle = (name: WebhookEventType) =>
    setChosen((before) => (before.includes(name) ? before.filter((one) => one !== name) : [...before, name]));
  return (
    <Dialog title="Add a webhook endpoint" isOpen onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <Field
          label="Address"
          hint="Receives signed POST requests in the Standard Webhooks format."
          error={create.error && messageOf(create.error)}
        >
          <input
            type="url"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://example.com/events"
            required
          />
        </Field>
        <fieldset className="checks">
          <legend className="label">Events</legend>
          {EVENTS.map((name) => (
            <label key={name} className="check">
              <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
              <code>{name}</code>
            </label>
          ))}
        </fieldset>
        <div className="form-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending} disabled={chosen.length === 0}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
