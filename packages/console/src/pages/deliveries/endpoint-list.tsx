import type { WebhookEndpoint } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { useEndpointActions, useEndpoints, useLastAttempt } from '../../data/deliveries.ts';
import { answerOf, isAccepted } from '../../ui/attempts.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useIsNarrow } from '../../ui/narrow.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

/** Webhook endpoints: URLs that get the events of all calls. */
export function EndpointList() {
  const endpoints = useEndpoints();
  const { update, remove } = useEndpointActions();
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<WebhookEndpoint | null>(null);
  const [testing, setTesting] = useState<WebhookEndpoint | null>(null);
  const columns = endpointColumns({
    onTest: setTesting,
    onToggle: ({ id, is_active }) => update.mutate({ id, is_active: !is_active }),
    onDelete: setDeleting,
  });
  return (
    <>
      <div className="actions">
        <Button needs="createWebhookEndpoint" kind="primary" icon="plus" onClick={() => setCreating(true)}>
          Add an endpoint
        </Button>
      </div>
      {endpoints.isPending && <Skeleton lines={3} />}
      {endpoints.error && <Failure error={endpoints.error} onRetry={endpoints.refetch} />}
      {update.error && <Failure error={update.error} />}
      {endpoints.data?.length === 0 && (
        <Empty
          title="No webhook endpoints"
          text="An endpoint gets the events of all calls, including inbound and browser calls."
        />
      )}
      {endpoints.data && endpoints.data.length > 0 && (
        <Table label="Webhook endpoints" columns={columns} rows={endpoints.data} keyOf={({ id }) => id} />
      )}
      {isCreating && <EndpointDialog onClose={() => setCreating(false)} />}
      {testing && <TestDialog endpoint={testing} onClose={() => setTesting(null)} />}
      {deleting && (
        <Confirm
          title="Delete the endpoint?"
          text={`${deleting.url} gets no more events. Past deliveries stay in the list.`}
          action="Delete"
          mutation={{ ...remove, mutate: (_, options) => remove.mutate(deleting.id, options) }}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

interface Actions {
  onTest: (endpoint: WebhookEndpoint) => void;
  /** Pauses it, or resumes it. */
  onToggle: (endpoint: WebhookEndpoint) => void;
  onDelete: (endpoint: WebhookEndpoint) => void;
}

function endpointColumns({ onTest, onToggle, onDelete }: Actions): Column<WebhookEndpoint>[] {
  return [
    { title: 'Address', cell: (endpoint) => <Address endpoint={endpoint} /> },
    { title: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} />, isMinor: true },
    {
      title: 'Events',
      cell: ({ events }) => <span className="muted clip-line">{events ? events.join(', ') : 'All'}</span>,
      isMinor: true,
    },
    {
      title: 'Change',
      isNumber: true,
      cell: (endpoint) => (
        <span className="actions end">
          <Button needs="testWebhookEndpoint" onClick={() => onTest(endpoint)}>
            Test
          </Button>
          <Button needs="updateWebhookEndpoint" onClick={() => onToggle(endpoint)}>
            {endpoint.is_active ? 'Pause' : 'Resume'}
          </Button>
          <Button needs="deleteWebhookEndpoint" onClick={() => onDelete(endpoint)}>
            Delete
          </Button>
        </span>
      ),
    },
  ];
}

/** The URL; on narrow screens with the state. */
function Address({ endpoint }: { endpoint: WebhookEndpoint }) {
  const isNarrow = useIsNarrow();
  return (
    <>
      <span className="strong clip-line endpoint" title={endpoint.url}>
        {endpoint.url}
      </span>
      {isNarrow && <EndpointState endpoint={endpoint} />}
    </>
  );
}

/** By its last attempt: callbacks that wait for the next one are pending, however often they failed. */
function EndpointState({ endpoint: { id, is_active, disabled_at } }: { endpoint: WebhookEndpoint }) {
  const last = useLastAttempt(id).data;
  if (!is_active) return <Badge tone="quiet">Paused</Badge>;
  if (disabled_at) return <Badge tone="bad">Disabled: it returned 410</Badge>;
  if (!last || isAccepted(last)) return <Badge tone="good">Active</Badge>;
  return (
    <span className="stack">
      <Badge tone="bad">{`Failing: ${answerOf(last)}`}</Badge>
      <Link to={`/deliveries?status=failing&endpoint=${id}`} className="small">
        Last attempt <Time at={last.attempted_at} />
      </Link>
    </span>
  );
}
