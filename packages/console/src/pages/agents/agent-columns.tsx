import type { Agent } from '@switchboard/client';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { AGENT_TYPES } from '../../data/agent-types.ts';
import type { AgentWeek } from '../../data/agent-week.ts';
import { useDuplicateAgent } from '../../data/agents.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useRelease } from '../../data/versions.ts';
import { messageOf } from '../../ui/failure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Money } from '../../ui/money.tsx';
import { useIsSeen } from '../../ui/seen.ts';
import { Badge } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SuccessShare } from './success-share.tsx';

/** The columns of the list of agents; figures are missing until they are known. */
export function agentColumns(
  weeks: Map<string, AgentWeek> | undefined,
  onTalk: (agent: Agent) => void,
  onCall: (agent: Agent) => void,
): Column<Agent>[] {
  return [
    { title: 'Name', cell: (agent) => <NameCell {...agent} /> },
    {
      title: 'Calls, 7 days',
      isNumber: true,
      isMinor: true,
      cell: ({ id }) => <CallsCell week={weeks && (weeks.get(id) ?? NONE)} />,
    },
    {
      title: 'Success',
      isNumber: true,
      isMinor: true,
      cell: ({ id }) => (weeks ? <SuccessShare {...(weeks.get(id) ?? NONE)} /> : <span className="muted">…</span>),
    },
    {
      title: 'Cost, 7 days',
      isNumber: true,
      isMinor: true,
      cell: ({ id }) => (weeks ? <Money amount={(weeks.get(id) ?? NONE).cost} /> : <span className="muted">…</span>),
    },
    { title: 'Version', isMinor: true, cell: ({ id }) => <VersionCell id={id} /> },
    { title: 'Changed', isMinor: true, isExtra: true, cell: ({ updated_at }) => <Time at={updated_at} /> },
    {
      title: 'Try',
      isNumber: true,
      cell: (agent) => <Actions agent={agent} onTalk={() => onTalk(agent)} onCall={() => onCall(agent)} />,
    },
  ];
}

const NONE: AgentWeek = { calls: 0, answerRate: null, success: null, cost: '0' };

function CallsCell({ week }: { week: AgentWeek | undefined }) {
  return week ? week.calls.toLocaleString('en') : <span className="muted">…</span>;
}

/** The versions that calls get. */
function VersionCell({ id }: { id: string }) {
  const cell = useRef<HTMLSpanElement>(null);
  const { data } = useRelease(id, useIsSeen(cell));
  const versions = data?.arms.map(({ version, weight }) =>
    weight === 100 ? `${version}` : `${version} (${weight} %)`,
  );
  return (
    <span ref={cell} className="number nowrap">
      {versions?.join(', ') ?? '…'}
    </span>
  );
}

function NameCell({ name, description, type, phone_number, is_active }: Agent) {
  return (
    <span className="stack">
      <span className="strong">
        {name} {!is_active && <Badge tone="quiet">Inactive</Badge>}
      </span>
      {description && <span className="muted clip-line">{description}</span>}
      {phone_number && <span className="muted small nowrap">{formatNumber(phone_number)}</span>}
      {type !== 'PIPELINE' && <span className="muted small">{AGENT_TYPES[type]}</span>}
    </span>
  );
}

interface ActionsProps {
  agent: Agent;
  onTalk: () => void;
  onCall: () => void;
}

function Actions({ agent, onTalk, onCall }: ActionsProps) {
  const duplicate = useDuplicateAgent();
  const [, navigate] = useLocation();
  const { is_active } = agent;
  return (
    <span className="cell-actions">
      <IconButton needs="startWebCall" icon="mic" label="Talk" disabled={!is_active} onClick={onTalk} />
      <IconButton needs="startOutboundCall" icon="phone" label="Call me" disabled={!is_active} onClick={onCall} />
      <IconButton
        needs="createAgent"
        icon="copy"
        label="Duplicate"
        problem={duplicate.error && messageOf(duplicate.error)}
        disabled={duplicate.isPending}
        onClick={() => duplicate.mutate(agent, { onSuccess: ({ id }) => navigate(`/agents/${id}`) })}
      />
    </span>
  );
}
