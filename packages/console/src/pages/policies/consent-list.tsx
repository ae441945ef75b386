import type { Consent } from '@switchboard/client';
import { useState } from 'react';
import { formatNumber } from '../../data/numbers.ts';
import { useConsentActions, useConsents } from '../../data/policies.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ConsentDialog } from './consent-dialog.tsx';
import { NumberSearch, useNumberSearch } from './number-search.tsx';

/** Consents of people, in their words. */
export function ConsentList() {
  const { number, ...search } = useNumberSearch();
  const list = useConsents(number);
  const { revoke } = useConsentActions();
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<Consent | null>(null);
  const ask = (consent: Consent) => {
    // An error about another consent says nothing about this one.
    revoke.reset();
    setRevoking(consent);
  };
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className="filters">
        <NumberSearch {...search} />
        <Button needs="addConsent" kind="primary" icon="plus" onClick={() => setAdding(true)}>
          Record a consent
        </Button>
      </div>
      {list.isPending && <Skeleton />}
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && rows.length === 0 && (
        <Empty
          title={number ? `No consent of ${formatNumber(number)}` : 'No consent is recorded'}
          text="A policy can ask for one before a number is called for a purpose."
        />
      )}
      {rows.length > 0 && (
        <Table label="Consents" isDense columns={columnsOf(ask)} rows={rows} keyOf={({ id }) => id} />
      )}
      <More query={list} />
      {isAdding && <ConsentDialog number={number} onClose={() => setAdding(false)} />}
      {revoking && (
        <Confirm
          title="Revoke the consent?"
          text={`${formatNumber(revoking.phone_number)} is not called for ${revoking.purpose} any more where a consent is needed. Earlier ones do not count either. This cannot be undone, but a new consent can be recorded.`}
          action="Revoke"
          mutation={{ ...revoke, mutate: (_, options) => revoke.mutate(revoking.id, options) }}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

function columnsOf(onRevoke: (consent: Consent) => void): Column<Consent>[] {
  return [
    {
      title: 'Number',
      cell: ({ phone_number }) => <span className="number strong nowrap">{formatNumber(phone_number)}</span>,
    },
    { title: 'To calls for', cell: ({ purpose }) => purpose },
    {
      title: 'Words',
      cell: ({ text }) => (
        <span className="clip-line" title={text}>
          {text}
        </span>
      ),
      isText: true,
      isMinor: true,
    },
    { title: 'Obtained by', cell: ({ channel, kind }) => `${channel} (${kind})`, isMinor: true },
    { title: 'On', cell: ({ obtained_at }) => <Time at={obtained_at} />, isNumber: true, isMinor: true },
    {
      title: 'Change',
      isNumber: true,
      cell: (consent) =>
        consent.revoked_at ? (
          <Badge tone="bad">Revoked</Badge>
        ) : (
          <Button needs="revokeConsent" onClick={() => onRevoke(consent)}>
            Revoke
          </Button>
        ),
    },
  ];
}
