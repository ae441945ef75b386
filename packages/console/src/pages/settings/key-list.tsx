import type { ApiKey } from '@switchboard/client';
import { useState } from 'react';
import { useKeyActions, useKeys } from '../../data/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { KeyDialog } from './key-dialog.tsx';

/** API keys. */
export function KeyList() {
  const keys = useKeys();
  const { revoke } = useKeyActions();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const rows = keys.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className="actions">
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          Create a key
        </Button>
      </div>
      {keys.isPending && <Skeleton lines={3} />}
      {keys.error && <Failure error={keys.error} onRetry={keys.refetch} />}
      {keys.data && rows.length === 0 && (
        <Empty
          title="No API keys"
          text="With AUTH_MODE=required every request needs one. Create the first for your backend."
        />
      )}
      {rows.length > 0 && (
        <Table label="API keys" columns={keyColumns(setRevoking)} rows={rows} keyOf={({ id }) => id} />
      )}
      <More query={keys} />
      {isCreating && <KeyDialog onClose={() => setCreating(false)} />}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          text="Requests with this key are refused from now on. This cannot be undone."
          action="Revoke"
          mutation={{ ...revoke, mutate: (_, options) => revoke.mutate(revoking.id, options) }}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

function keyColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    { title: 'Name', cell: ({ name }) => <span className="strong clip-line">{name}</span> },
    { title: 'Role', cell: ({ role, user_id }) => (user_id ? `${role}: ${user_id}` : role) },
    { title: 'State', cell: (key) => <KeyState apiKey={key} />, isMinor: true },
    { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} />, isMinor: true },
    { title: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
    {
      title: 'Change',
      isNumber: true,
      cell: (key) => (
        <Button onClick={() => onRevoke(key)} disabled={key.revoked_at !== null}>
          Revoke
        </Button>
      ),
    },
  ];
}

function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at) return <Badge tone="quiet">Revoked</Badge>;
  if (expires_at && Date.parse(expires_at) < Date.now()) return <Badge tone="quiet">Expired</Badge>;
  return <Badge tone="good">Active</Badge>;
}
