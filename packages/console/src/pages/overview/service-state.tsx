import type { WorkersReadiness } from '@switchboard/client';
import { Link } from 'wouter';
import { useFailingCallbacks } from '../../data/overview.ts';
import { TASKS, tasksByState, useReadiness } from '../../data/service.ts';
import { Section } from '../../ui/page.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';

/** Readiness of the service's dependencies, and failing callbacks. */
export function ServiceState() {
  const { data, error } = useReadiness();
  const failed = useFailingCallbacks().data;
  if (error) return <Badge tone="bad">The service is not ready</Badge>;
  if (!data) return null;
  const count = failed ? `${failed.items.length}${failed.next_cursor ? '+' : ''}` : null;
  return (
    <Section title="Service">
      <ul className="states">
        <State label="Database" status={data.database} />
        <State label={`Phones: ${nameOf(data.providers.media.name)}`} status={data.providers.media.status} />
        <State label={`Numbers: ${nameOf(data.providers.carrier.name)}`} status={data.providers.carrier.status} />
        {data.workers && <Workers workers={data.workers} />}
        {count !== null && (
          <li>
            <Badge tone={count === '0' ? 'good' : 'bad'}>
              {count === '0' ? 'No callback is failing' : `${count} failing callbacks`}
            </Badge>
            {count !== '0' && <Link to="/deliveries?status=failing">Look</Link>}
          </li>
        )}
      </ul>
    </Section>
  );
}

function State({ label, status }: { label: string; status: string }) {
  return (
    <li>
      <Badge tone={status === 'ok' ? 'good' : 'bad'}>{label}</Badge>
      <span className="muted">{status === 'ok' ? 'ready' : status}</span>
    </li>
  );
}

type ServedBy = WorkersReadiness[keyof WorkersReadiness];

const STATES: Record<ServedBy, { tone: Tone; says: string }> = {
  ok: { tone: 'good', says: 'a worker takes them' },
  simulated: { tone: 'good', says: 'simulated' },
  unused: { tone: 'quiet', says: 'no worker takes them, and nobody has asked for any' },
  nobody: { tone: 'bad', says: 'no worker takes them' },
};

/** A line for each state of tasks, with the kinds of tasks that are in it. */
function Workers({ workers }: { workers: WorkersReadiness }) {
  return [...tasksByState(workers)].map(([state, kinds]) => (
    <li key={state}>
      <Badge tone={STATES[state].tone}>Workers</Badge>
      <span className="muted">{`${kinds.map((kind) => TASKS[kind]).join(', ')}: ${STATES[state].says}`}</span>
    </li>
  ));
}

const nameOf = (name: string) => (name === 'sandbox' ? 'sandbox, simulated' : name);
