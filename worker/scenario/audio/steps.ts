import { MAX_CALLER_TURNS, type MakeCaller } from '@switchboard/scenarios/persona';
import type { Scenario, Step } from '@switchboard/scenarios/schema';

/** The steps of a caller, one after the other. */
export interface Steps {
  /** Null after the last one; `said` is what the agent has said since the step before. */
  next(said: string): Promise<Step | null>;
  /** Whether the next one interrupts the agent. */
  interrupts(): boolean;
  /** Whether the next one presses keys. */
  presses(): boolean;
}

/** The steps of the script, or of somebody whose words a language model chooses. */
export function stepsOf({ script = [], persona }: Scenario['caller'], make: MakeCaller | null): Steps {
  if (!persona || !make) return scripted(script);
  const caller = make(persona);
  let turns = 0;
  let hangsUp = false;
  return {
    next: async (said) => {
      if (hangsUp) return { hang_up: true };
      if (turns++ >= (persona.max_turns ?? MAX_CALLER_TURNS)) return null;
      const { words, hangs_up } = await caller.next(said);
      hangsUp = hangs_up;
      if (!words && hangs_up) return { hang_up: true };
      return words ? { say: words } : { after_ms: 0 };
    },
    interrupts: () => false,
    presses: () => false,
  };
}

function scripted(script: readonly Step[]): Steps {
  let at = 0;
  return {
    next: async () => script[at++] ?? null,
    interrupts: () => script[at]?.interrupt !== undefined,
    presses: () => script[at]?.dtmf !== undefined,
  };
}
