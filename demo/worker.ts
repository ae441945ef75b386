import { decimal } from '@switchboard/client';
import type { Client } from './client.ts';
import { pause } from './pace.ts';

/** Metadata that a worker receives when it is dispatched into a room. */
export interface Assignment {
  session_id: string;
  room_name: string;
  agent_id: string;
}

export interface Utterance {
  speaker: 'USER' | 'AGENT';
  content: string;
}

export interface UsageEvent {
  provider: string;
  event_type: 'stt_minutes' | 'llm_tokens' | 'tts_characters';
  quantity: string;
  unit_cost: string;
  total_cost: string;
}

const CONVERSATION: Utterance[] = [
  { speaker: 'AGENT', content: 'Hello, this is the bicycle workshop. Your bicycle is ready.' },
  { speaker: 'USER', content: 'That was quick! How late are you open today?' },
  { speaker: 'AGENT', content: 'Until half past six. Shall I have it waiting at the counter?' },
  { speaker: 'USER', content: 'Please do. But the bill looks odd. Can I talk to someone about it?' },
  { speaker: 'AGENT', content: 'Of course. I will put you through to the counter.' },
];

// Realistic prices in US dollars, from no actual price list.
const PRICES = {
  stt_minute: '0.0077',
  llm_input_token: '0.00000015',
  llm_output_token: '0.0000006',
  tts_character: '0.00005',
};

/**
 * Stands in for an agent's worker, which is a program of its own: it hears and speaks in the media room and tells the
 * service over HTTP what was said. Here nothing is heard: the conversation is a script.
 */
export async function converse(
  client: Client,
  { room_name }: Assignment,
  onUtterance: (utterance: Utterance) => void,
): Promise<void> {
  for (const utterance of CONVERSATION) {
    await pause(400 + utterance.content.length * 9);
    await client.sb.sessions.addTranscript(room_name, utterance);
    onUtterance(utterance);
  }
}

/** Logs what the conversation used: speech heard, tokens read and written, characters spoken. */
export async function logUsage(client: Client, { session_id, agent_id }: Assignment): Promise<UsageEvent[]> {
  const events = usageOf(CONVERSATION);
  for (const event of events) await client.sb.usage.log({ ...event, session_id, agent_id });
  return events;
}

function usageOf(conversation: Utterance[]): UsageEvent[] {
  const spoken = conversation.filter(({ speaker }) => speaker === 'AGENT').map(({ content }) => content);
  const characters = spoken.join('').length;
  return [
    event('deepgram', 'stt_minutes', '0.35', PRICES.stt_minute),
    event('openai', 'llm_tokens', '1187', PRICES.llm_input_token),
    event('openai', 'llm_tokens', '64', PRICES.llm_output_token),
    event('elevenlabs', 'tts_characters', String(characters), PRICES.tts_character),
  ];
}

function event(
  provider: string,
  event_type: UsageEvent['event_type'],
  quantity: string,
  unit_cost: string,
): UsageEvent {
  return { provider, event_type, quantity, unit_cost, total_cost: decimal.multiply(quantity, unit_cost) };
}
