import { SwitchboardError } from '@switchboard/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSession } from '../data/session.tsx';
import { tryKey } from '../data/signed-in.ts';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';

/** Shows the console, or asks for a key first where the service wants one. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { needsKey } = useSession();
  return needsKey ? <SignIn /> : children;
}

function SignIn() {
  const { signIn, user: last } = useSession();
  const [key, setKey] = useState('');
  const [user, setUser] = useState(last);
  const enter = useMutation({ mutationFn: () => tryKey(key.trim(), user.trim()), onSuccess: signIn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate();
  };
  return (
    <main className="sign-in">
      <img src="/console/icon.svg" alt="" width="40" height="40" />
      <h1>Sign in to Switchboard</h1>
      <form className="form" onSubmit={submit}>
        <Field label="API key" error={enter.error && problemOf(enter.error)}>
          <input
            type="password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            placeholder="sb_…"
            autoComplete="off"
            required
          />
        </Field>
        <Field label="User" hint="A key of role user shows its own user; one of role service any.">
          <input value={user} onChange={(event) => setUser(event.target.value)} required maxLength={255} />
        </Field>
        <Button kind="primary" type="submit" isBusy={enter.isPending}>
          Sign in
        </Button>
        <p className="muted small">
          The key stays in the memory of this page, until it is closed or loaded again. The first key is made by{' '}
          <code>npm run keys -- create</code>.
        </p>
      </form>
    </main>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof SwitchboardError)) return messageOf(error);
  if (error.status === 401) return 'The service does not know this key, or it was revoked.';
  if (error.code === 'wrong_user') return 'This key belongs to another user.';
  if (error.code === 'role_not_allowed') return 'A key of this role cannot sign in: use one of role service or user.';
  return messageOf(error);
}
