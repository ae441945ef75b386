import type { llm, voice } from '@livekit/agents';

type TurnHandling = NonNullable<voice.AgentSessionOptions['turnHandling']>;
type TurnDetector = Extract<TurnHandling['turnDetection'], { predictEndOfTurn: unknown }>;

/** Words with which people begin, or take leave, and then often pause before they go on. */
const OPENING =
  /^(?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|good[ -]?bye|bye|well|so|u[hm]+|er+m?|hallo|guten (?:tag|morgen|abend)|servus|bonjour|bonsoir|allô|hola|buen[oa]s (?:d[ií]as|tardes|noches)|ciao|buongiorno|ol[aá]|there)[\s,.!?…-]*)+$/i;
/** Words that no sentence ends with. */
const UNFINISHED =
  /\b(?:and|or|but|because|if|when|for|with|of|from|the|an?|my|your|our|is|are|would|like to|want to|need to)[\s,.…-]*$/i;

/** Whether a caller who pauses after these words probably goes on. */
export function isUnfinished(text: string): boolean {
  return OPENING.test(text.trim()) || UNFINISHED.test(text.trim());
}

/**
 * Waits longer after words with which no turn ends. All others are answered after the shortest wait: nobody waits
 * longer for an answer to a question because a caller may pause after "Hello."
 */
export function createPauses(): TurnDetector {
  return {
    model: 'pauses',
    provider: 'switchboard',
    supportsLanguage: async () => true,
    unlikelyThreshold: async () => 0.5,
    predictEndOfTurn: async ({ items }: llm.ChatContext) => {
      const last = items.at(-1);
      return last?.type === 'message' && isUnfinished(last.textContent ?? '') ? 0 : 1;
    },
  };
}
