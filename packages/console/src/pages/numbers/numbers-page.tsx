import type { OwnedNumber } from '@switchboard/client';
import { useState } from 'react';
import { useAgents } from '../../data/agents.ts';
import { formatNumber } from '../../data/numbers.ts';
import { usePhoneNumbers } from '../../data/phone-numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';

/** Phone numbers of the carrier account, and the agents that answer them. */
export function NumbersPage() {
  const numbers = usePhoneNumbers();
  const agents = useAgents();
  const [assigning, setAssigning] = useState<OwnedNumber | null>(null);
  const [releasing, setReleasing] = useState<OwnedNumber | null>(null);
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]));
  const answering = ({ agent_id, user_id }: OwnedNumber) =>
    agent_id ? (names.get(agent_id) ?? `An agent of ${user_id ?? 'another user'}`) : 'Nobody';
  const rows = numbers.data?.pages.flatMap(({ items }) => items) ?? [];
  const columns = numberColumns(answering, setAssigning, setReleasing);
  return (
    <Page title="Numbers" text="Phone numbers of the carrier account, and the agents that answer them.">
      {numbers.isPending && <Skeleton />}
      {numbers.error && <Failure error={numbers.error} onRetry={numbers.refetch} />}
      {numbers.data && rows.length === 0 && (
        <Empty
          title="No numbers"
          text="The carrier account has no free number. Buy one at the carrier; it appears here."
        />
      )}
      {rows.length > 0 && (
        <Table label="Numbers" columns={columns} rows={rows} keyOf={({ phone_number }) => phone_number} />
      )}
      <More query={numbers} />
      {assigning && <AssignDialog number={assigning} agents={agents.data ?? []} onClose={() => setAssigning(null)} />}
      {releasing && <ReleaseDialog number={releasing} onClose={() => setReleasing(null)} />}
    </Page>
  );
}

function numberColumns(
  answering: (number: OwnedNumber) => string,
  onAssign: (number: OwnedNumber) => void,
  onRelease: (number: OwnedNumber) => void,
): Column<OwnedNumber>[] {
  return [
    {
      title: 'Number',
      cell: (number) => (
        <>
          <span className="number strong nowrap">{formatNumber(number.phone_number)}</span>
          <span className="narrow-only muted small">{answering(number)}</span>
        </>
      ),
    },
    {
      title: 'Answered by',
      cell: (number) => <span className={number.agent_id ? undefined : 'muted'}>{answering(number)}</span>,
      isMinor: true,
    },
    {
      title: 'Voice',
      cell: ({ voice }) => <Badge tone={voice ? 'good' : 'warn'}>{voice ? 'Takes calls' : 'No voice'}</Badge>,
      isMinor: true,
    },
    {
      title: 'Carrier id',
      cell: ({ carrier_sid }) => <code className="muted clip-line">{carrier_sid}</code>,
      isMinor: true,
    },
    {
      title: 'Change',
      isNumber: true,
      cell: (number) =>
        number.agent_id ? (
          <Button needs="releaseNumber" onClick={() => onRelease(number)}>
            Release
          </Button>
        ) : (
          <Button needs="assignNumber" onClick={() => onAssign(number)} disabled={!number.voice}>
            Assign
          </Button>
        ),
    },
  ];
}
