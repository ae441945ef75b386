import { Link } from 'wouter';
import { useListening } from '../data/listen.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Level } from '../ui/level.tsx';

/** The call that this browser listens to, shown on every page with its volume and Stop. */
export function ListenBar() {
  const { listening, stop } = useListening();
  if (!listening) return null;
  const { callId, title, room } = listening;
  return (
    <section className="voice-bar" aria-label="Listening in">
      <Icon name="headphones" />
      <span className="stack">
        <Link to={`/calls/${callId}`} className="number nowrap">
          {title}
        </Link>
        <span className="muted small">
          {room ? 'Nobody in the call sees or hears you.' : 'Sandbox: nobody speaks, so there is nothing to hear.'}
        </span>
      </span>
      {room && (
        <span className="levels">
          <Level label="Call volume" read={room.level} />
        </span>
      )}
      <Button onClick={stop}>Stop</Button>
    </section>
  );
}
