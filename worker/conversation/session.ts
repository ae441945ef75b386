import { voice } from '@livekit/agents';
import type { AgentConfig, Section } from './config.ts';
import type { Models } from './models.ts';

/** A session of the library with the agent's models; `start` begins listening. */
export function createSession(config: AgentConfig, models: Models): voice.AgentSession {
  return new voice.AgentSession({
    ...models,
    turnHandling: turnHandling(config.turnDetection, models.stt === undefined),
    userAwayTimeout: null,
    maxToolSteps: 5,
  });
}

/** Silero detects speech locally. Its model comes with the library. */
function turnHandling(section: Section, isRealtime: boolean): NonNullable<voice.AgentSessionOptions['turnHandling']> {
  const { mode, min_endpointing_delay_ms, max_endpointing_delay_ms, allow_interruptions, min_interruption_ms } =
    section;
  return {
    // Without a mode the library uses its own turn detector.
    ...(!isRealtime && mode !== 'model' && { turnDetection: mode === 'stt' ? 'stt' : 'vad' }),
    endpointing: {
      ...(typeof min_endpointing_delay_ms === 'number' && { minDelay: min_endpointing_delay_ms }),
      ...(typeof max_endpointing_delay_ms === 'number' && { maxDelay: max_endpointing_delay_ms }),
    },
    interruption: {
      mode: 'vad',
      enabled: allow_interruptions !== false,
      ...(typeof min_interruption_ms === 'number' && { minDuration: min_interruption_ms }),
    },
  };
}
