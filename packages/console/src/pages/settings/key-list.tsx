import type { ApiKey } from '@switchboard/client';
import { useState } from 'react';
import { useSession } from '../../data/session.tsx';
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
  const { signedIn } = useSession();
  const { revoke } = useKeyActions();
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const rows = keys.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className="actions">
        {signedIn ? (
          <Button needs="createApiKey" kind="primary" icon="plus" onClick={() => setCreating(true)}>
            Create a key
          </Button>
        ) : (
          <p className="muted">
            In open mode anybody could create keys, so nobody can. Set AUTH_MODE=required, and create the first with
            “npm run keys”.
          </p>
        )}
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
    { title: 'Role', cell: (key) => <KeyRights apiKey={key} /> },
    { title: 'State', cell: (key) => <KeyState apiKey={key} />, isMinor: true },
    {
      title: 'Last used',
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : <span className="muted">Never</span>),
      isMinor: true,
    },
    { title: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isMinor: true },
    {
      title: 'Change',
      isNumber: true,
      cell: (key) => (
        <Button needs="revokeApiKey" onClick={() => onRevoke(key)} disabled={key.revoked_at !== null}>
          Revoke
        </Button>
      ),
    },
  ];
}

/** The role, the user that the key is bound to, and the parts of the API that it is limited to. */
function KeyRights({ apiKey: { role, user_id, scopes } }: { apiKey: ApiKey }) {
  return (
    <span className="stack">
      <span>{user_id ? `${role}: ${user_id}` : role}</span>
      {scopes && <span className="muted small">{scopes.join(', ')}</span>}
    </span>
  );
}

function KeyState({ apiKey: { revoked_at, expires_at, made_in_open_mode } }: { apiKey: ApiKey }) {
  if (revoked_at) return <Badge tone="quiet">Revoked</Badge>;
  if (expires_at && Date.parse(expires_at) < Date.now()) return <Badge tone="quiet">Expired</Badge>;
  if (made_in_open_mode) return <Badge tone="warn">Made in open mode, by anybody</Badge>;
  return (
    <>
      <Badge tone="good">Active</Badge>
      {expires_at && (
        <span className="muted small">
          {' '}
          until <Time at={expires_at} />
        </span>
      )}
    </>
  );
}
