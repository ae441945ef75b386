import { useState } from 'react';
import { useUserSettings } from '../../data/users.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Sets and lifts the legal hold of a user. */
export function LegalHold({ user }: { user: string }) {
  const { settings: hold, change } = useUserSettings(user);
  const [isAsking, setAsking] = useState(false);
  if (hold.isPending) return <Skeleton lines={2} />;
  if (!hold.data) return <Failure error={hold.error} onRetry={hold.refetch} />;
  const isHeld = hold.data.legal_hold;
  const set = {
    ...change,
    mutate: (_: undefined, done: { onSuccess: () => void }) => change.mutate({ legal_hold: !isHeld }, done),
  };
  return (
    <section className="form narrow" aria-label="Legal hold">
      <h2>Legal hold</h2>
      {hold.error && <Failure error={hold.error} onRetry={hold.refetch} />}
      <p role="status" className={isHeld ? 'notice' : 'muted'}>
        {isHeld
          ? `None of the conversations of ${user} are deleted: not by retention, by an erasure, or by hand.`
          : `There is no hold. Conversations of ${user} are deleted when their retention ends.`}
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
              ? 'Data past its retention is deleted within the hour, and erasures that were stopped continue.'
              : 'None of the user’s conversations are deleted until you lift the hold.'
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
