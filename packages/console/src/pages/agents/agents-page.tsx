import type { Agent } from '@switchboard/client';
import { useState } from 'react';
import { useAgentWeeks } from '../../data/agent-week.ts';
import { useAgents } from '../../data/agents.ts';
import { useText } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { agentColumns } from './agent-columns.tsx';
import { CallMe } from './call-me.tsx';
import { TalkDialog } from './talk-dialog.tsx';
import { Templates } from './templates.tsx';

/** The user's agents, and templates for the next one. */
export function AgentsPage() {
  const agents = useAgents();
  const [isCreating, setCreating] = useState(false);
  const isEmpty = agents.data?.length === 0;
  return (
    <Page
      title="Agents"
      text={isEmpty ? undefined : 'Agents answer and place calls.'}
      actions={
        agents.data &&
        !isEmpty && (
          <Button
            needs="createAgent"
            kind="primary"
            icon="plus"
            onClick={() => setCreating(!isCreating)}
            aria-expanded={isCreating}
          >
            New agent
          </Button>
        )
      }
    >
      {agents.isPending && <Skeleton />}
      {agents.error && <Failure error={agents.error} onRetry={agents.refetch} />}
      {(isCreating || isEmpty) && <Templates isFirst={isEmpty} />}
      {agents.data && !isEmpty && <AgentList agents={agents.data} />}
    </Page>
  );
}

function AgentList({ agents }: { agents: Agent[] }) {
  const [text, setText] = useText('q');
  const weeks = useAgentWeeks(useMay('getAnalysisStats'));
  const [called, setCalled] = useState<Agent | null>(null);
  const [talked, setTalked] = useState<Agent | null>(null);
  const found = agents.filter((agent) => matches(agent, text));
  return (
    <>
      <div className="filters">
        <input
          type="search"
          className="search q"
          placeholder="Search the agents"
          aria-label="Search the agents"
          value={text}
          data-search
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {weeks.error && <Failure error={weeks.error} onRetry={weeks.refetch} />}
      {found.length === 0 ? (
        <Empty title="No agent matches" text="The search looks at names, descriptions and numbers." />
      ) : (
        <Table
          label="Agents"
          columns={agentColumns(weeks.data, setTalked, setCalled)}
          rows={found}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/agents/${id}`}
        />
      )}
      {called && <CallMe agent={called} onClose={() => setCalled(null)} />}
      {talked && <TalkDialog agent={talked} onClose={() => setTalked(null)} />}
    </>
  );
}

function matches({ name, description, phone_number }: Agent, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  const all = `${name} ${description ?? ''} ${phone_number ?? ''}`.toLowerCase();
  return words.every((word) => all.includes(word));
}
