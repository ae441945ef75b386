import { voice } from '@livekit/agents';

/** A speech as it was heard: `synchronizedTranscript` has its words so far, as the library estimates them. */
interface Played {
  interrupted: boolean;
  synchronizedTranscript?: string;
}

/** Calls a function whenever the sound of a speech is over, of whichever output the session has. */
export function onPlayed(session: voice.AgentSession, played: (heard: Played) => void): void {
  let followed: voice.AgentSession['output']['audio'] = null;
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, () => {
    const { audio } = session.output;
    if (audio === followed) return;
    followed = audio;
    audio?.on('playbackFinished', played);
  });
}

/** Follows a session from now on; returns those of its speeches since then that have not ended, in their order. */
export function followSpeeches(session: Pick<voice.AgentSession, 'on'>): () => readonly voice.SpeechHandle[] {
  let speeches: voice.SpeechHandle[] = [];
  const open = () => speeches.filter((speech) => !speech.done());
  session.on(voice.AgentSessionEventTypes.SpeechCreated, ({ speechHandle }) => {
    speeches = [...open(), speechHandle];
  });
  return open;
}
