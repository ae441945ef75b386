import { useConnection } from '../data/live.tsx';
import { Badge } from '../ui/status.tsx';

/** A warning while no events arrive, because the page may be stale. */
export function ConnectionState() {
  const connection = useConnection();
  return (
    <div className="connection" role="status" aria-label="Connection">
      {connection === 'reconnecting' && <Badge tone="warn">Reconnecting…</Badge>}
      {connection === 'refused' && <Badge tone="bad">No live updates</Badge>}
    </div>
  );
}
