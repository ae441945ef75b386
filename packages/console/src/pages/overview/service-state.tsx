import { Link } from 'wouter';
import { useFailingCallbacks } from '../../data/overview.ts';
import { useReadiness } from '../../data/service.ts';
import { Section } from '../../ui/page.tsx';
import { Badge } from '../../ui/status.tsx';

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

const nameOf = (name: string) => (name === 'sandbox' ? 'sandbox, simulated' : name);
