import { type llm, voice } from '@livekit/agents';
import type { ConversationConfig } from './config.ts';
import type { Models } from './models.ts';
import { createPauses } from './pauses.ts';
import { createSpeechDetector } from './speech-detector.ts';

/** After words that no turn ends with: longer than people pause after "Hello." */
const LONGEST_PAUSE_MS = 1_200;
/**
 * Speech that silences the agent. The library pauses it only, and lets it continue if nobody has said a word: so this
 * may be shorter than its default of 500 ms, which callers experience as an agent that does not listen.
 */
const INTERRUPTION_MS = 250;
/** Responses of the model to results of tools, in one turn. */
const MAX_TOOL_STEPS = 5;

/** A session of the library with the agent's models; `start` begins listening. */
export function createSession(config: ConversationConfig, models: Models): voice.AgentSession {
  return new voice.AgentSession({
    ...models,
    // Realtime models detect speech themselves.
    ...(models.stt && { vad: createSpeechDetector() }),
    turnHandling: turnHandling(config.turnDetection, models.stt === undefined),
    userAwayTimeout: null,
    maxToolSteps: MAX_TOOL_STEPS,
  });
}

/** The same for a conversation in writing: a session that neither listens nor speaks. */
export function createWritingSession(model: llm.LLM): voice.AgentSession {
  return new voice.AgentSession({
    llm: model,
    vad: null,
    turnHandling: { turnDetection: 'manual', interruption: { mode: 'vad' } },
    userAwayTimeout: null,
    maxToolSteps: MAX_TOOL_STEPS,
  });
}

/** Silero detects speech locally. Its model comes with the library. */
function turnHandling(
  section: ConversationConfig['turnDetection'],
  isRealtime: boolean,
): NonNullable<voice.AgentSessionOptions['turnHandling']> {
  const { mode, min_endpointing_delay_ms, max_endpointing_delay_ms, allow_interruptions, min_interruption_ms } =
    section;
  const isSilence = !isRealtime && mode !== 'model' && mode !== 'stt';
  return {
    // Without a mode the library uses its own turn detector.
    ...(!isRealtime && mode !== 'model' && { turnDetection: isSilence ? createPauses() : 'stt' }),
    endpointing: {
      ...(typeof min_endpointing_delay_ms === 'number' && { minDelay: min_endpointing_delay_ms }),
      ...(isSilence && { maxDelay: LONGEST_PAUSE_MS }),
      ...(typeof max_endpointing_delay_ms === 'number' && { maxDelay: max_endpointing_delay_ms }),
    },
    interruption: {
      mode: 'vad',
      enabled: allow_interruptions !== false,
      minDuration: typeof min_interruption_ms === 'number' ? min_interruption_ms : INTERRUPTION_MS,
    },
  };
}
