import { useState } from 'react';
import { Link } from 'wouter';
import { useTalking } from '../data/talk.tsx';
import type { TalkRoom } from '../data/talk-room.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Level } from '../ui/level.tsx';

/** The call that this browser is in, shown on every page with the volume of both sides and a button to end it. */
export function TalkBar() {
  const talking = useTalking();
  if (!talking) return null;
  return (
    <section className="voice-bar" aria-label="Your call">
      <Icon name="mic" />
      <Link to={`/calls/${talking.callId}`}>{talking.agentName}</Link>
      <Levels room={talking.room} />
      <Mute key={talking.callId} room={talking.room} />
      <Button kind="danger" onClick={() => talking.room.leave()}>
        Hang up
      </Button>
    </section>
  );
}

/** Turns the microphone of a room off and on. */
export function Mute({ room }: { room: TalkRoom }) {
  const [isMuted, setMuted] = useState(false);
  const change = async () => {
    await room.setMuted(!isMuted);
    setMuted(!isMuted);
  };
  return (
    <Button onClick={change} aria-pressed={isMuted}>
      {isMuted ? 'Unmute' : 'Mute'}
    </Button>
  );
}

function Levels({ room }: { room: TalkRoom }) {
  return (
    <span className="levels">
      <Level label="Your volume" read={() => room.levels().mine} />
      <Level label="Agent volume" read={() => room.levels().theirs} />
    </span>
  );
}
