import type { CallDetail } from '@switchboard/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatNumber } from '../../data/numbers.ts';
import { useSession } from '../../data/session.tsx';
import { ANSWERED_BY } from '../../data/value-labels.ts';
import { Copy } from '../../ui/copy.tsx';
import { DirectionLabel } from '../../ui/direction.tsx';
import { FactList } from '../../ui/facts.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

/** The parties of a call, its times, and its data. */
export function Facts({ call }: { call: CallDetail }) {
  const agent = call.agent_name && call.agent_id && <AgentLink call={call} />;
  const facts: [string, ReactNode][] = [
    ['Agent', agent || 'Deleted'],
    ['Agent version', call.agent_version],
    ['Direction', <DirectionLabel key="direction" direction={call.direction} />],
    ['From', call.from_number && formatNumber(call.from_number)],
    ['To', call.to_number && formatNumber(call.to_number)],
    ['Trunk', call.trunks && <Trunks key="trunk" trunks={call.trunks} />],
    ['Started', <Time key="started" at={call.created_at} />],
    ['Answered by', call.answered_by && ANSWERED_BY[call.answered_by]],
    ['Disposition', call.disposition],
    ['User', <Owner key="user" user={call.user_id} />],
    ['Call id', <IdWithCopy key="id" id={call.call_id} />],
  ];
  return (
    <Section title="Call">
      <FactList facts={facts} variables={call.variables} metadata={call.metadata} />
    </Section>
  );
}

/** The trunk that carried the call, and those that had refused it before. */
function Trunks({ trunks }: { trunks: NonNullable<CallDetail['trunks']> }) {
  return (
    <span className="anywhere">
      {trunks.map(({ trunk, end_reason, sip_status_code }, index) => {
        const why = index < trunks.length - 1 && (sip_status_code ? `SIP ${sip_status_code}` : end_reason);
        return `${index > 0 ? ', then ' : ''}${trunk}${why ? ` (${why})` : ''}`;
      })}
    </span>
  );
}

/** A link to the agent as its user: while all users are shown, there are no pages of agents. */
function AgentLink({ call: { agent_id, agent_name, user_id } }: { call: CallDetail }) {
  const { user, setUser } = useSession();
  return (
    <Link to={`/agents/${agent_id}`} onClick={() => user === null && setUser(user_id)}>
      {agent_name}
    </Link>
  );
}

/** The user of the call; while all users are shown, a button that shows only this one. */
function Owner({ user }: { user: string }) {
  const { user: shown, setUser } = useSession();
  if (shown !== null) return <span className="anywhere">{user}</span>;
  return (
    <button type="button" className="link anywhere" title="Show only this user" onClick={() => setUser(user)}>
      {user}
    </button>
  );
}

function IdWithCopy({ id }: { id: string }) {
  return (
    <span className="id">
      <code className="clip">{id}</code>
      <Copy text={id} label="Copy the call’s id" />
    </span>
  );
}
