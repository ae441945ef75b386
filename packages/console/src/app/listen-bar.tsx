import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Talking, useListening, useTakeOver } from '../data/listen.tsx';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/failure.tsx';
import { Icon } from '../ui/icon.tsx';
import { Level } from '../ui/level.tsx';
import { Mute } from './talk-bar.tsx';

/**
 * The call that this browser listens to, shown on every page with its volume and Stop; or talks in, in place of the
 * agent.
 */
export function ListenBar() {
  const { listening, isAnswered, stop } = useListening();
  const { takeOver, giveBack } = useTakeOver();
  if (!listening) return null;
  if (listening.isTalking) return <TalkingBar talking={listening} giveBack={() => giveBack.mutate(listening)} />;
  const { room, callId } = listening;
  // The bar stays from one call to the next.
  const problem = takeOver.error && takeOver.variables?.callId === callId ? messageOf(takeOver.error) : null;
  return (
    <section className="voice-bar" aria-label="Listening in">
      <Icon name="headphones" />
      <Title {...listening} problem={problem}>
        {room ? 'Nobody in the call sees or hears you.' : 'Sandbox: nobody speaks, so there is nothing to hear.'}
      </Title>
      {room && (
        <span className="levels">
          <Level label="Call volume" read={room.level} />
        </span>
      )}
      <Button
        needs="takeOverCall"
        icon="mic"
        disabled={!isAnswered}
        isBusy={takeOver.isPending}
        onClick={() => takeOver.mutate(listening)}
      >
        Take over
      </Button>
      <Button onClick={stop} disabled={takeOver.isPending}>
        Stop
      </Button>
    </section>
  );
}

/** The same while this browser talks to the caller. */
function TalkingBar({ talking, giveBack }: { talking: Talking; giveBack: () => void }) {
  const { room } = talking;
  return (
    <section className="voice-bar" aria-label="You have taken over">
      <Icon name="mic" />
      <Title {...talking}>
        {room ? 'The agent is silent. The caller hears you.' : 'Sandbox: nobody speaks, and nobody hears you.'}
      </Title>
      {room && (
        <>
          <span className="levels">
            <Level label="Your volume" read={() => room.levels().mine} />
            <Level label="Call volume" read={() => room.levels().theirs} />
          </span>
          <Mute room={room} />
        </>
      )}
      <Button kind="primary" onClick={giveBack}>
        Give back
      </Button>
    </section>
  );
}

interface Titled {
  callId: string;
  title: string;
  problem?: string | null;
  children: ReactNode;
}

function Title({ callId, title, problem, children }: Titled) {
  return (
    <span className="stack">
      <Link to={`/calls/${callId}`} className="number nowrap">
        {title}
      </Link>
      {problem ? (
        <span className="problem small" role="alert">
          {problem}
        </span>
      ) : (
        <span className="muted small">{children}</span>
      )}
    </span>
  );
}
