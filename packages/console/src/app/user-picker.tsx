import { type FormEvent, useState } from 'react';
import { useSession } from '../data/session.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';

/** Says whose data is shown, and lets another user be chosen. In open mode the service believes any name. */
export function UserPicker() {
  const { user, known, setUser, signedIn, signOut } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const choose = (id: string) => {
    setUser(id);
    setOpen(false);
    setTyped('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim()) choose(typed.trim());
  };
  if (signedIn?.role === 'user') {
    return (
      <p className="signed-in">
        <Icon name="user" />
        <span className="clip">{user}</span>
        <Button onClick={signOut}>Sign out</Button>
      </p>
    );
  }
  return (
    <>
      <button type="button" className="user-button" onClick={() => setOpen(true)} aria-label={`User: ${user}. Change`}>
        <Icon name="user" />
        <span className="clip">{user}</span>
        <Icon name="updown" />
      </button>
      <Dialog title="User" isOpen={isOpen} onClose={() => setOpen(false)}>
        <p className="muted">
          Agents, calls and costs belong to a user.{' '}
          {signedIn ? 'A service key shows any.' : 'This service asks for no key: choose any.'}
        </p>
        <ul className="choices">
          {known.map((id) => (
            <li key={id}>
              <button type="button" onClick={() => choose(id)} aria-current={id === user || undefined}>
                <span className="clip">{id}</span>
                {id === user && <Icon name="check" />}
              </button>
            </li>
          ))}
        </ul>
        <form className="row" onSubmit={submit}>
          <Field label="Another user’s id">
            <input value={typed} onChange={(event) => setTyped(event.target.value)} maxLength={255} />
          </Field>
          <Button type="submit" disabled={!typed.trim()}>
            Show
          </Button>
        </form>
        {signedIn && <Button onClick={signOut}>Sign out</Button>}
      </Dialog>
    </>
  );
}
