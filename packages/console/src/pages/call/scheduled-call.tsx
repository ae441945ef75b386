import type { ScheduledCall } from '@switchboard/client';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAgent } from '../../data/agents.ts';
import { formatNumber } from '../../data/numbers.ts';
import { useCancelScheduled } from '../../data/scheduled-calls.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FactList } from '../../ui/facts.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Badge, type Tone } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

const STATES: Record<ScheduledCall['status'], { label: string; tone: Tone; text: string }> = {
  SCHEDULED: { label: 'Scheduled', tone: 'wait', text: 'Not dialled yet. The rules are checked again when it is due.' },
  PLACED: { label: 'Placed', tone: 'good', text: 'It has become a call.' },
  CANCELED: { label: 'Canceled', tone: 'quiet', text: 'It is not placed.' },
  EXPIRED: { label: 'Expired', tone: 'warn', text: 'It could not be placed in time.' },
  REFUSED: { label: 'Refused', tone: 'bad', text: 'It may not be placed.' },
};

/** A call that waits for its time, or what became of it. */
export function ScheduledCallView({ call, back }: { call: ScheduledCall; back: { to: string; label: string } }) {
  const { label, tone, text } = STATES[call.status];
  const agent = useAgent(call.agent_id);
  const { window } = call;
  const facts: [string, ReactNode][] = [
    ['Agent', agent.data && <Link to={`/agents/${call.agent_id}`}>{agent.data.name}</Link>],
    ['Due', <Time key="due" at={call.due_at} />],
    ['Not after', <Time key="latest" at={call.latest_at} />],
    ['Window', window && `${hours(window)}, ${window.time_zone}`],
    ['If missed', window && (window.if_missed === 'expire' ? 'It expires' : 'In the same hours of the next day')],
    ['Booked in', call.booked_in && <Link to={`/calls/${call.booked_in}`}>The conversation</Link>],
    ['Call', call.call_id && <Link to={`/calls/${call.call_id}`}>The call</Link>],
    ['Created', <Time key="created" at={call.created_at} />],
  ];
  return (
    <Page
      title={formatNumber(call.phone_number)}
      text={
        <span className="headline" role="status">
          <Badge tone={tone}>{label}</Badge>
          <span>{call.detail ?? text}</span>
        </span>
      }
      back={back}
      actions={call.status === 'SCHEDULED' && <Cancel call={call} />}
    >
      <Section title="Scheduled call">
        <FactList facts={facts} variables={call.variables} metadata={call.metadata} />
      </Section>
    </Page>
  );
}

/** The hours of a window, with one date if both are on the same day. */
function hours({ earliest, latest }: { earliest: string; latest: string }): string {
  const [day, from] = earliest.split('T');
  const [end, to] = latest.split('T');
  return `${day} ${from} to ${day === end ? to : `${end} ${to}`}`;
}

function Cancel({ call }: { call: ScheduledCall }) {
  const cancel = useCancelScheduled(call.scheduled_call_id);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button needs="cancelScheduledCall" kind="danger" onClick={() => setAsking(true)}>
        Cancel
      </Button>
      {isAsking && (
        <Confirm
          title={`Cancel the call to ${formatNumber(call.phone_number)}?`}
          text="It is not placed, and cannot be taken up again: schedule another one instead."
          action="Cancel the call"
          cancel="Keep it"
          mutation={cancel}
          onClose={() => {
            cancel.reset();
            setAsking(false);
          }}
        />
      )}
    </>
  );
}
