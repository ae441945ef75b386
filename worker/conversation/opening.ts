import type { voice } from '@livekit/agents';
import type { Detector } from './answerer.ts';
import { type Disclosure, disclose } from './compliance.ts';
import type { ConversationConfig } from './config.ts';
import { followSpeeches } from './playback.ts';
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
    const replies = followSpeeches(session);
    if (!(await detectVoicemail(session, action, answered, around))) return;
    // The greeting answers their first words, also if the agent's replies may not be interrupted.
    if (greeting || disclosure) {
      for (const reply of replies()) reply.interrupt(true);
      interrupt(session);
    }
  }
  await sayDisclosure();
  if (!(await record())) return hangUp();
  if (greeting) say(session, greeting);
  watchCaller();
}
