import type { Agent } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { formatNumber } from '../../data/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CallMe } from './call-me.tsx';
import { Templates } from './templates.tsx';

/** The user's agents, and templates for the next one. */
export function AgentsPage() {
  const agents = useAgents();
  const [isCreating, setCreating] = useState(false);
  const [called, setCalled] = useState<Agent | null>(null);
  const isEmpty = agents.data?.length === 0;
  return (
    <Page
      title="Agents"
      text={isEmpty ? undefined : 'Agents answer and place calls.'}
      actions={
        agents.data &&
        !isEmpty && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(!isCreating)} aria-expanded={isCreating}>
            New agent
          </Button>
        )
      }
    >
      {agents.isPending && <Skeleton />}
      {agents.error && <Failure error={agents.error} onRetry={agents.refetch} />}
      {(isCreating || isEmpty) && <Templates isFirst={isEmpty} />}
      {agents.data && !isEmpty && (
        <Table
          label="Agents"
          columns={agentColumns(setCalled)}
          rows={agents.data}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/agents/${id}`}
        />
      )}
      {called && <CallMe agent={called} onClose={() => setCalled(null)} />}
    </Page>
  );
}

function agentColumns(onCall: (agent: Agent) => void): Column<Agent>[] {
  return [
    { title: 'Name', cell: ({ name, description }) => <NameCell name={name} description={description} /> },
    { title: 'Type', cell: ({ type }) => <span className="muted">{type}</span>, isMinor: true },
    {
      title: 'Number',
      cell: ({ phone_number }) => (phone_number ? formatNumber(phone_number) : <span className="muted">–</span>),
      isMinor: true,
    },
    { title: 'State', cell: ({ is_active }) => <ActiveBadge isActive={is_active} />, isMinor: true },
    { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} />, isMinor: true },
    {
      title: 'Try',
      isNumber: true,
      cell: (agent) => (
        <Button icon="phone" className="button plain above" onClick={() => onCall(agent)}>
          Call me
        </Button>
      ),
    },
  ];
}

function NameCell({ name, description }: { name: string; description: string | null }) {
  return (
    <span className="stack">
      <span className="strong">{name}</span>
      {description && <span className="muted clip-line">{description}</span>}
    </span>
  );
}

function ActiveBadge({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'good' : 'quiet'}>{isActive ? 'Active' : 'Inactive'}</Badge>;
}
