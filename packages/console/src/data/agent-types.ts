import type { AgentType } from '@switchboard/client';

/** Descriptions of what agents of each type do. */
export const AGENT_TYPES: Record<AgentType, string> = {
  PIPELINE: 'Conversation',
  LLM: 'Language model only',
  STT: 'Speech recognition only',
  TTS: 'Speech output only',
};
