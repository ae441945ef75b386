import type { ApiKeyCreate } from '@switchboard/client';
import { useState } from 'react';
import { useSession } from '../../data/session.tsx';
import { useKeyActions } from '../../data/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type Scope, ScopeChoice } from './scope-choice.tsx';

type Role = ApiKeyCreate['role'];

const ROLES: [Role, string][] = [
  ['service', 'Your backend: everything, for any user.'],
  ['worker', 'An agent worker: reads and reports on calls, for one user or for all.'],
  ['user', 'One user’s own programs.'],
  ['viewer', 'Reads, for one user or for all.'],
  ['supervisor', 'Reads, listens, hangs up and transfers, for one user or for all.'],
  ['admin', 'Operators: everything, and keys of this role.'],
];

const DAY_MS = 86_400_000;
const LIFETIMES = [
  ['', 'As long as possible'],
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
] as const;

const endOf = (days: string) => (days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null);

/** Creates a key, and shows it once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const { create } = useKeyActions();
  const { user, signedIn } = useSession();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('service');
  const [typed, setOwner] = useState<string | null>(null);
  const [scopes, setScopes] = useState<Scope[]>([]);
  const [days, setDays] = useState('');
  // A worker's key, as others that may be for all users, is not bound unnoticed to the user who is chosen.
  const owner = typed ?? (role === 'user' ? (user ?? '') : '');
  const canBeBound = role !== 'service' && role !== 'admin';
  const wanted = (): ApiKeyCreate => ({
    name,
    role,
    user_id: (canBeBound && owner) || null,
    expires_at: endOf(days),
    scopes: scopes.length > 0 ? scopes : null,
  });
  if (create.data) return <CreatedKey name={name} text={create.data.key} onClose={onClose} />;
  return (
    <FormDialog
      title="Create an API key"
      action="Create"
      isBusy={create.isPending}
      onSubmit={() => create.mutate(wanted())}
      onClose={onClose}
      ask={(api) => api.keys.create(wanted())}
    >
      <Field label="Name" error={create.error && messageOf(create.error)}>
        <input value={name} onChange={(event) => setName(event.target.value)} required maxLength={255} />
      </Field>
      <RoleChoice role={role} isAdmin={signedIn?.role === 'admin'} onChange={setRole} />
      {canBeBound && <OwnerField isRequired={role === 'user'} owner={owner} onChange={setOwner} />}
      <Field label="Valid for">
        <select value={days} onChange={(event) => setDays(event.target.value)}>
          {LIFETIMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <ScopeChoice scopes={scopes} onChange={setScopes} />
    </FormDialog>
  );
}

function OwnerField(props: { isRequired: boolean; owner: string; onChange: (owner: string) => void }) {
  const { isRequired, owner, onChange } = props;
  return (
    <Field label="User" {...(!isRequired && { hint: 'Empty: all users.' })}>
      <input value={owner} onChange={({ target }) => onChange(target.value)} required={isRequired} maxLength={255} />
    </Field>
  );
}

/** Only an `admin` creates keys of this role. */
function RoleChoice(props: { role: Role; isAdmin: boolean; onChange: (role: Role) => void }) {
  const { role, isAdmin, onChange } = props;
  return (
    <fieldset className="radios">
      <legend className="label">Role</legend>
      {ROLES.filter(([id]) => id !== 'admin' || isAdmin).map(([id, meaning]) => (
        <label key={id}>
          <input type="radio" name="role" checked={role === id} onChange={() => onChange(id)} />
          <span>
            <span className="strong">{id}</span>
            <span className="muted">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function CreatedKey({ name, text, onClose }: { name: string; text: string; onClose: () => void }) {
  return (
    <Dialog title={name} isOpen onClose={onClose}>
      <p>Copy the key now: only its hash is stored, and it is not shown again.</p>
      <div className="secret">
        <code>{text}</code>
        <Copy text={text} label="Copy the key" />
      </div>
      <div className="form-end">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
