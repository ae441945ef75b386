import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession, useShowsAnyUser } from '../data/session.tsx';
import type { Shown } from '../data/signed-in.ts';
import { ALL_USERS, UserChoice } from '../pages/users/user-choice.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';

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
  const { mutate, error, isPending } = useMutation({ mutationFn: signOut });
  return (
    <>
      <Problem>{error && `Not signed out: ${messageOf(error)}`}</Problem>
      <Button isBusy={isPending} onClick={() => mutate({ isEverywhere: true })}>
        Sign out everywhere
      </Button>
      <Button isBusy={isPending} onClick={() => mutate({ isEverywhere: false })}>
        Sign out
      </Button>
    </>
  );
}
