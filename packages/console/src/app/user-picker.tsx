import { useState } from 'react';
import { useSession, useShowsAnyUser } from '../data/session.tsx';
import type { Shown } from '../data/signed-in.ts';
import { ALL_USERS, UserChoice } from '../pages/users/user-choice.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';

/** Shows the selected user, and lets the viewer choose another. In open mode the service accepts any name. */
export function UserPicker() {
  const { user, signedIn, setUser } = useSession();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!useShowsAnyUser()) {
    return (
      <div className="signed-in">
        <Icon name="user" />
        <span className="clip">{user}</span>
        <SignOut />
      </div>
    );
  }
  const choose = (id: Shown) => {
    setUser(id);
    close();
  };
  return (
    <>
      <button
        type="button"
        className="user-button"
        onClick={() => setOpen(true)}
        aria-label={`User: ${user ?? ALL_USERS}. Change`}
      >
        <Icon name={user === null ? 'users' : 'user'} />
        <span className="clip">{user ?? ALL_USERS}</span>
        <Icon name="updown" />
      </button>
      <Dialog title="User" isOpen={isOpen} onClose={close}>
        <p className="muted">
          Agents, calls and costs belong to a user.{' '}
          {signedIn
            ? 'This sign-in can show any user, or all users.'
            : 'This service requires no key: choose any user, or all users.'}
        </p>
        <UserChoice onChoose={choose} withAll />
        {signedIn && (
          <div className="form-end">
            <SignOut />
          </div>
        )}
      </Dialog>
    </>
  );
}

/** Signs out here, or wherever somebody has signed in with the same key or as the same person. */
function SignOut() {
  const { signOut } = useSession();
  return (
    <>
      <Button onClick={() => signOut({ isEverywhere: true })}>Sign out everywhere</Button>
      <Button onClick={() => signOut()}>Sign out</Button>
    </>
  );
}
