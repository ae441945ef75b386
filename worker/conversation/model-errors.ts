import { APITimeoutError, voice } from '@livekit/agents';
import type { Observation } from '../metrics.ts';
import { providerName } from './providers.ts';

/** Errors of the library's models by kind. */
const KINDS: Record<string, string> = {
  stt_error: 'stt',
  llm_error: 'llm',
  tts_error: 'tts',
  realtime_model_error: 'realtime',
};

/** Reports each failed request to a model. */
export function observeModelErrors(session: voice.AgentSession, observe: (observation: Observation) => void): void {
  session.on(voice.AgentSessionEventTypes.Error, ({ error, source }) => {
    const { type, recoverable } = error as { type?: string; recoverable?: boolean };
    observe({
      type: 'model_error',
      kind: KINDS[type ?? ''] ?? 'other',
      provider: providerName((source as { provider?: string } | null)?.provider),
      reason: isTimeout((error as { error?: unknown }).error) ? 'timeout' : 'error',
      is_retried: recoverable === true,
    });
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof APITimeoutError || (error instanceof Error && error.name === 'TimeoutError');
}
