import type { KeyRole } from '@switchboard/client';
import { useState } from 'react';
import { useSession } from '../../data/session.tsx';
import { useKeyActions } from '../../data/settings.ts';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

const ROLES: [KeyRole, string][] = [
  ['service', 'Your backend: everything, for any user.'],
  ['worker', 'An agent worker: reads and reports on calls.'],
  ['user', 'One user’s own programs.'],
];

/** Creates a key, and shows it once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const { create } = useKeyActions();
  const { user } = useSession();
  const [name, setName] = useState('');
  const [role, setRole] = useState<KeyRole>('service');
  const [owner, setOwner] = useState(user ?? '');
  const submit = () => {
    create.mutate({ name, role, user_id: role === 'user' ? owner : null });
  };
  if (create.data) return <CreatedKey name={name} text={create.data.key} onClose={onClose} />;
  return (
    <FormDialog title="Create an API key" action="Create" isBusy={create.isPending} onSubmit={submit} onClose={onClose}>
      <Field label="Name" error={create.error && messageOf(create.error)}>
        <input value={name} onChange={(event) => setName(event.target.value)} required maxLength={255} />
      </Field>
      <fieldset className="radios">
        <legend className="label">Role</legend>
        {ROLES.map(([id, meaning]) => (
          <label key={id}>
            <input type="radio" name="role" checked={role === id} onChange={() => setRole(id)} />
            <span>
              <span className="strong">{id}</span>
              <span className="muted">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {role === 'user' && (
        <Field label="User">
          <input value={owner} onChange={(event) => setOwner(event.target.value)} required maxLength={255} />
        </Field>
      )}
    </FormDialog>
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
