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
