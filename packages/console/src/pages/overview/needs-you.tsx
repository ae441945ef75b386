import type { Callback } from '@switchboard/client';
import { Link } from 'wouter';
import { useFailingCallbacks } from '../../data/overview.ts';
import { TASKS, tasksByState, useOpenAddress, useReadiness } from '../../data/service.ts';
import { answerOf } from '../../ui/attempts.tsx';
import { Receiver } from '../../ui/callback-status.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

/** Problems that need somebody now; nothing if there are none. */
export function NeedsYou() {
  return (
    <>
      <OpenMode />
      <MissingWorkers />
      <FailingReceivers />
    </>
  );
}

function OpenMode() {
  const host = useOpenAddress();
  if (host === null) return null;
  return (
    <div className="failure" role="status" aria-label="Open to the network">
      <Section title="Anybody who reaches this service may use it">
        <p>
          <code>AUTH_MODE=open</code> on <code>HOST</code> {host} asks nobody for a key: others can read and change
          everything, and place calls. Set <code>AUTH_MODE=required</code>, or <code>HOST=127.0.0.1</code>.
        </p>
      </Section>
    </div>
  );
}

/** Tasks that somebody has asked for, and no worker claims. */
function MissingWorkers() {
  const workers = useReadiness().data?.workers;
  const kinds = workers ? tasksByState(workers).get('nobody') : undefined;
  if (!kinds) return null;
  return (
    <div className="failure" role="status" aria-label="Missing workers">
      <Section title={`No worker takes ${new Intl.ListFormat('en').format(kinds.map((kind) => TASKS[kind]))}`}>
        <p>
          Somebody has asked for them. Start a worker with a key of the role <code>worker</code> that is not bound to a
          user, or let a running worker take these tasks.
        </p>
      </Section>
    </div>
  );
}

/** Receivers of callbacks whose last attempts failed. */
function FailingReceivers() {
  const failing = useFailingCallbacks().data;
  if (!failing || failing.items.length === 0) return null;
  const receivers = Map.groupBy(failing.items, ({ url }) => url);
  return (
    <div className="failure" role="status" aria-label="Needs you now">
      <Section
        title={receivers.size === 1 ? 'A receiver of callbacks fails' : `${receivers.size} receivers of callbacks fail`}
        actions={<Link to="/deliveries?status=failing">All failing callbacks</Link>}
      >
        <ul className="receivers">
          {[...receivers].map(([url, callbacks]) => (
            <li key={url}>
              <Receiver url={url} />
              <Failing callbacks={callbacks} isCut={failing.next_cursor !== null} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Failing({ callbacks, isCut }: { callbacks: Callback[]; isCut: boolean }) {
  const last = callbacks
    .flatMap(({ attempts }) => attempts.slice(-1))
    .sort(byTime)
    .at(-1);
  const next = callbacks.flatMap(({ next_attempt_at }) => next_attempt_at ?? []).sort()[0];
  return (
    <span className="small">
      {`${callbacks.length}${isCut ? '+' : ''} ${callbacks.length === 1 ? 'callback' : 'callbacks'}`}
      {last && (
        <>
          , last response {answerOf(last)} at <Time at={last.attempted_at} precise />
        </>
      )}
      {next ? (
        <>
          , next attempt <Time at={next} precise />
        </>
      ) : (
        ', given up'
      )}
    </span>
  );
}

const byTime = (a: { attempted_at: string }, b: { attempted_at: string }) => (a.attempted_at < b.attempted_at ? -1 : 1);
