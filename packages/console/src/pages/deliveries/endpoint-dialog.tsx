import type { WebhookEventType } from '@switchboard/client';
import { useState } from 'react';
import { useEndpointActions } from '../../data/deliveries.ts';
import { CheckGroup } from '../../ui/check-group.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

// A record, so that a type of the API that is missing here is a type error.
const TYPES: Record<WebhookEventType, true> = {
  'call.answered': true,
  'call.completed': true,
  'call.failed': true,
  'call.no_answer': true,
  'call.transferred': true,
  'call.transfer_failed': true,
  'call.transfer_answered': true,
  'call.report': true,
  'call.analyzed': true,
  'chat.ended': true,
  'scheduled_call.changed': true,
  'budget.threshold': true,
  'test_run.finished': true,
  'campaign.started': true,
  'campaign.paused': true,
  'campaign.blocked': true,
  'campaign.completed': true,
  'campaign.canceled': true,
  'recipient.finished': true,
  'call.digits': true,
  'recording.stored': true,
  'recording.failed': true,
  'suppression.added': true,
  'agent.released': true,
  'quota.threshold': true,
};
const EVENTS = Object.keys(TYPES) as WebhookEventType[];

/** Adds a webhook endpoint. */
export function EndpointDialog({ onClose }: { onClose: () => void }) {
  const { create } = useEndpointActions();
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState(EVENTS);
  const endpoint = { url, events: chosen.length === EVENTS.length ? null : chosen };
  return (
    <FormDialog
      title="Add a webhook endpoint"
      action="Add"
      isBusy={create.isPending}
      isDisabled={chosen.length === 0}
      onSubmit={() => create.mutate(endpoint, { onSuccess: onClose })}
      onClose={onClose}
      ask={(api) => api.webhookEndpoints.create(endpoint)}
    >
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
      <CheckGroup
        label="Events"
        names={EVENTS}
        labelOf={(name) => <code>{name}</code>}
        chosen={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  );
}
