import { randomInt } from 'node:crypto';
import type { Sent } from './load.ts';

const USERS = 200;
const AGENTS_OF_USER = 2;
const CALLS = 5_000;
const KINDS = [
  { provider: 'openai', event_type: 'llm_tokens', unit_cost: '0.0000006' },
  { provider: 'deepgram', event_type: 'stt_minutes', unit_cost: '0.0043' },
  { provider: 'cartesia', event_type: 'tts_characters', unit_cost: '0.000038' },
];

/** A usage event as a worker sends it: many users with a few agents each, and calls with many events each. */
function usageEvent(user = randomInt(USERS)) {
  const kind = KINDS[randomInt(KINDS.length)];
  const quantity = randomInt(1, 3000);
  return {
    session_id: `call-${user}-${randomInt(CALLS / USERS)}`,
    user_id: `user-${user}`,
    agent_id: `agent-${user}-${randomInt(AGENTS_OF_USER)}`,
    ...kind,
    quantity,
    total_cost: (quantity * Number(kind?.unit_cost)).toFixed(10),
  };
}

export function usageRequests(count: number): Sent[] {
  return Array.from({ length: count }, () => post('/api/usage/events', usageEvent()));
}

type Usage = ReturnType<typeof usageEvent>;

export function batchRequests(
  count: number,
  events: number,
  change: (event: Usage) => object = (event) => event,
): Sent[] {
  return Array.from({ length: count }, () => {
    const user = randomInt(USERS);
    return post('/api/usage/events/batch', { events: Array.from({ length: events }, () => change(usageEvent(user))) });
  });
}

/** An event with its model: three for each kind, tokens as input, output and cached ones. */
export function withModels(event: Usage): object {
  const kinds = ['llm_input_tokens', 'llm_output_tokens', 'llm_cached_tokens'];
  const event_type = event.event_type === 'llm_tokens' ? kinds[randomInt(3)] : event.event_type;
  return { ...event, event_type, model: `model-${randomInt(3)}` };
}

/** An event without its costs, which the price book knows. */
export function withoutCosts({ unit_cost: _, total_cost: __, ...event }: Usage): object {
  return event;
}

/** The prices of these events, among many others. */
export function prices(count: number): object[] {
  const others = Array.from({ length: count }, (_, index) => ({
    model: `model-${index}`,
    ...KINDS[index % KINDS.length],
  }));
  return [...KINDS, ...others].map(({ unit_cost, ...kind }) => ({
    ...kind,
    price: unit_cost,
    valid_from: '2026-01-01',
  }));
}

export function post(path: string, body: unknown, headers: Record<string, string> = {}): Sent {
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}
