import type { voice } from '@livekit/agents';
import { type Disclosure, disclose } from './compliance.ts';
import type { ConversationConfig } from './config.ts';
import { say } from './say.ts';
import { detectVoicemail, type Outcome } from './voicemail.ts';

interface Opening {
  session: voice.AgentSession;
  config: ConversationConfig;
  isOutbound: boolean;
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
  const { session, config, isOutbound, answered, disclosed, record, hangUp, watchCaller } = opening;
  const { greeting, voicemail, realtime, compliance } = config;
  const { disclosure } = compliance;
  const tellFirst = async (): Promise<void> => {
    if (disclosure && isOutbound) await disclose(session, disclosure, disclosed);
  };
  if (voicemail && isOutbound && !realtime) {
    if (!(await detectVoicemail(session, voicemail, answered, tellFirst))) return;
    // The greeting answers their first words.
    if (greeting || disclosure) session.interrupt();
  }
  await tellFirst();
  if (!(await record())) return hangUp();
  if (greeting) say(session, greeting);
  watchCaller();
}
