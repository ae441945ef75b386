import { useState } from 'react';
import { useLegalHold } from '../../data/users.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Sets and lifts the legal hold of a user. */
export function LegalHold({ user }: { user: string }) {
  const { hold, change } = useLegalHold(user);
  const [isAsking, setAsking] = useState(false);
  if (hold.isPending) return <Skeleton lines={2} />;
  if (hold.error) return <Failure error={hold.error} onRetry={hold.refetch} />;
  const isHeld = hold.data;
  const set = { ...change, mutate: (_: undefined, done: { onSuccess: () => void }) => change.mutate(!isHeld, done) };
  return (
    <section className="form narrow" aria-label="Legal hold">
      <h2>Legal hold</h2>
      <p role="status" className={isHeld ? 'notice' : 'muted'}>
        {isHeld
          ? `Nothing of ${user}’s conversations is deleted: not by age, not by an erasure, not by hand.`
          : `None. Conversations of ${user} are deleted at their age.`}
      </p>
      <div className="actions">
        <Button needs="updateUser" kind={isHeld ? 'danger' : 'plain'} onClick={() => setAsking(true)}>
          {isHeld ? 'Lift the hold' : 'Set a hold'}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={isHeld ? `Lift the hold of ${user}?` : `Hold ${user}?`}
          text={
            isHeld
              ? 'What is past its age is deleted within the hour, and erasures that wait go on.'
              : 'Nothing of the user’s conversations is deleted until you lift it.'
          }
          action={isHeld ? 'Lift' : 'Hold'}
          kind={isHeld ? 'danger' : 'primary'}
          mutation={set}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
