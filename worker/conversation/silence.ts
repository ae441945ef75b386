import { log, voice } from '@livekit/agents';
import type { ConversationConfig } from './config.ts';
import { say } from './say.ts';

/**
 * Prompts a silent caller, and finally hangs up. Returns a function that starts the timer: callers are not
 * prompted while their phone rings.
 */
export function watchSilence(
  session: voice.AgentSession,
  silence: ConversationConfig['silence'],
  hangUp: () => void,
  isPaused = () => false,
) {
  if (!silence) return () => {};
  const { timeoutMs, message, maxPrompts } = silence;
  let timer: NodeJS.Timeout | undefined;
  let begun = false;
  let prompts = 0;
  /** Whether the language model has failed since it last answered. The library takes each prompt for an answer. */
  let hasFailed = false;

  function ask(): void {
    // A call that is ending has nobody left to prompt, and does not end because of the silence.
    if (session._closing) return;
    if (isPaused()) restart();
    else if (prompts++ < maxPrompts) prompt();
    else hangUp();
  }
  function prompt(): void {
    try {
      say(session, message);
    } catch (error) {
      // Thrown from a timer, it would end the process, and lose what the call has not written yet.
      log().error({ error }, 'a silent caller was not prompted');
    }
  }
  /** The timer runs while both are silent. */
  function restart(): void {
    clearTimeout(timer);
    if (begun && session.agentState === 'listening' && session.userState !== 'speaking')
      timer = setTimeout(ask, timeoutMs);
  }
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, restart);
  session.on(voice.AgentSessionEventTypes.UserStateChanged, ({ newState }) => {
    if (newState === 'speaking' && !hasFailed) prompts = 0;
    restart();
  });
  session.on(voice.AgentSessionEventTypes.Error, ({ error }) => {
    if ('type' in error && error.type === 'llm_error' && !error.recoverable) hasFailed = true;
  });
  session.on(voice.AgentSessionEventTypes.MetricsCollected, ({ metrics }) => {
    if (!hasFailed || metrics.type !== 'llm_metrics' || metrics.ttftMs < 0) return;
    hasFailed = false;
    prompts = 0;
  });
  session.on(voice.AgentSessionEventTypes.Close, () => {
    begun = false;
    clearTimeout(timer);
  });
  return () => {
    begun = true;
    restart();
  };
}
