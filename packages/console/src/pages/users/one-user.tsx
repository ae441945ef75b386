import type { ReactNode } from 'react';
import { useSession } from '../../data/session.tsx';
import { Page } from '../../ui/page.tsx';
import { UserChoice } from './user-choice.tsx';

interface Props {
  /** The reason why the part is about one user. */
  why: string;
  children: ReactNode;
}

/** Wraps a part that is about one user: while all users are shown, it asks for one instead. */
export function OneUser({ why, children }: Props) {
  const { user } = useSession();
  return user === null ? <UserNeeded why={why} /> : children;
}

/** Asks for a user, and says why. */
export function UserNeeded({ why }: { why: string }) {
  const { setUser } = useSession();
  return (
    <section className="form narrow" aria-label="Choose a user">
      <p>
        <span className="strong">Choose a user.</span> <span className="muted">{why}</span>
      </p>
      <UserChoice onChoose={setUser} />
    </section>
  );
}

/** A page that is about one user. */
export function OneUserPage({ title, ...props }: Props & { title: string }) {
  const { user } = useSession();
  if (user !== null) return props.children;
  return (
    <Page title={title}>
      <OneUser {...props} />
    </Page>
  );
}
