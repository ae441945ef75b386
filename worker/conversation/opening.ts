import { voice } from '@livekit/agents';
import type { Detector } from './answerer.ts';
import { type Disclosure, disclose } from './compliance.ts';
import type { ConversationConfig } from './config.ts';
import { interrupt, say } from './say.ts';
import { actionOf, detectVoicemail, type Outcome } from './voicemail.ts';

interface Opening {
  session: voice.AgentSession;
  config: ConversationConfig;
  isOutbound: boolean;
  /** Models that find out who has answered. */
  detector: Detector;
  /** Takes who has answered an outbound call; ends the call if the outcome says so. */
  answered: (outcome: Outcome) => void;
  disclosed: (said: Disclosure) => void;
  /** Begins to record, if the caller consents; returns whether the conversation goes on. */
  record: () => Promise<boolean>;
  hangUp: () => void;
  /** Begins to prompt a silent caller. */
  watchCaller: () => void;
}

/** The first moments of a call, from when somebody can be talked to. */
export async function open(opening: Opening): Promise<void> {
  const { session, config, isOutbound, detector, answered, disclosed, record, hangUp, watchCaller } = opening;
  const { greeting, screening, compliance } = config;
  const { disclosure } = compliance;
  const sayDisclosure = async (): Promise<void> => {
    if (disclosure && isOutbound) await disclose(session, disclosure, disclosed);
  };
  const action = actionOf(config);
  if (action && isOutbound) {
    const around = { screening, detector, disclose: sayDisclosure };
    const replies = collectSpeeches(session);
    const isPerson = await detectVoicemail(session, action, answered, around).finally(replies.stop);
    if (!isPerson) return;
    // The greeting answers their first words.
    if (greeting || disclosure) replies.interrupt();
  }
  await sayDisclosure();
  if (!(await record())) return hangUp();
  if (greeting) say(session, greeting);
  watchCaller();
}

/** Collects what the agent is about to say, until `stop` is called; `interrupt` ends it, whether or not it may be. */
function collectSpeeches(session: voice.AgentSession) {
  const speeches: voice.SpeechHandle[] = [];
  const collect = ({ speechHandle }: voice.SpeechCreatedEvent) => speeches.push(speechHandle);
  session.on(voice.AgentSessionEventTypes.SpeechCreated, collect);
  return {
    stop: (): void => void session.off(voice.AgentSessionEventTypes.SpeechCreated, collect),
    interrupt(): void {
      for (const speech of speeches) speech.interrupt(true);
      interrupt(session);
    },
  };
}
