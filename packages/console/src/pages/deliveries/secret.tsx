import { useState } from 'react';
import { useRotateSecret, useSecret } from '../../data/deliveries.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Time } from '../../ui/time.tsx';

/** The secret that signs callbacks, hidden until it is requested. */
export function Secret() {
  const [isShown, setShown] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const secret = useSecret(isShown);
  const rotate = useRotateSecret();
  return (
    <div className="form narrow">
      <p className="muted">
        Every callback is signed with this secret, in the Standard Webhooks format. Verify the signature before you
        believe a callback.
      </p>
      <div className="secret">
        <code className="clip">{isShown && secret.data ? secret.data.secret : 'whsec_••••••••••••••••••••••••'}</code>
        {isShown && secret.data && <Copy text={secret.data.secret} label="Copy the secret" />}
      </div>
      {secret.error && <Failure error={secret.error} onRetry={secret.refetch} />}
      {isShown && secret.data?.previous_expires_at && (
        <p className="muted">
          The former secret signs as well until <Time at={secret.data.previous_expires_at} />.
        </p>
      )}
      <div className="actions">
        <Button needs="getCallbackSecret" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Reveal'}
        </Button>
        <Button needs="rotateCallbackSecret" onClick={() => setRotating(true)}>
          Rotate
        </Button>
      </div>
      {isRotating && (
        <Confirm
          title="Rotate the secret?"
          text="Callbacks are signed with the new secret and, for a day, with the old one too: update your receivers within that time."
          action="Rotate"
          mutation={rotate}
          onDone={() => {
            setRotating(false);
            setShown(true);
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </div>
  );
}
