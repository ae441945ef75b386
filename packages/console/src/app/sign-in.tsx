import { SwitchboardError } from '@switchboard/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { keys } from '../data/keys.ts';
import { useSession } from '../data/session.tsx';
import { exchangeKey, hasOpenId, openIdAddress, openIdProblem } from '../data/signed-in.ts';
import { Button } from '../ui/button.tsx';
import { Failure, messageOf } from '../ui/failure.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/problem.tsx';

/** Shows the console, or first asks for a key if the service requires one. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { isKnown, needsKey, problem, readAgain } = useSession();
  if (!isKnown) return problem ? <Unread problem={problem} onRetry={readAgain} /> : null;
  return needsKey ? <SignIn /> : children;
}

/** In place of the console: without the session it is not known what may be shown, and in which currency. */
function Unread({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  return (
    <main className="sign-in">
      <img src="/console/icon.svg" alt="" width="40" height="40" />
      <h1>Switchboard</h1>
      <Failure error={problem} onRetry={onRetry} />
    </main>
  );
}

function SignIn() {
  const hasProvider = useHasOpenId();
  return (
    <main className="sign-in">
      <img src="/console/icon.svg" alt="" width="40" height="40" />
      <h1>Sign in to Switchboard</h1>
      <OpenId isThere={hasProvider} />
      <KeyForm isPrimary={!hasProvider} />
    </main>
  );
}

/** Signs in with an API key. */
function KeyForm({ isPrimary }: { isPrimary: boolean }) {
  const { signIn, user: last } = useSession();
  const [key, setKey] = useState('');
  const [user, setUser] = useState(last ?? '');
  const enter = useMutation({
    mutationFn: () => exchangeKey(key.trim()),
    onSuccess: (given) => signIn(given, user.trim() || null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter.mutate();
  };
  return (
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
      <Field label="User" hint="A user key shows its own user; a service key shows this user, or all users if empty.">
        <input value={user} onChange={(event) => setUser(event.target.value)} maxLength={255} placeholder="All users" />
      </Field>
      <Button kind={isPrimary ? 'primary' : 'plain'} type="submit" isBusy={enter.isPending}>
        Sign in
      </Button>
      <p className="muted small">
        The key is exchanged for a session of twelve hours, and not kept. The first key is made by{' '}
        <code>npm run keys -- create</code>.
      </p>
    </form>
  );
}

function useHasOpenId(): boolean {
  const found = useQuery({ queryKey: keys.signIn, queryFn: hasOpenId, staleTime: Number.POSITIVE_INFINITY });
  return found.data === true;
}

/** A link to the OpenID provider, if there is one, and the reason why the last sign-in failed. */
function OpenId({ isThere }: { isThere: boolean }) {
  const problem = openIdProblem();
  if (!isThere && !problem) return null;
  return (
    <div className="form">
      <Problem>{problem}</Problem>
      {isThere && (
        <>
          <a className="button primary" href={openIdAddress()}>
            Continue with single sign-on
          </a>
          <p className="or muted small">or with an API key</p>
        </>
      )}
    </div>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof SwitchboardError)) return messageOf(error);
  if (error.status === 401) return 'The service does not know this key, or it was revoked.';
  if (error.status === 403) return 'A key of role worker cannot sign in: use one of another role.';
  return messageOf(error);
}
