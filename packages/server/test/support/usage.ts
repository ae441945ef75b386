import type { Answer } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';

export interface UsageFields {
  session_id?: string;
  user_id?: string;
  agent_id?: string | null;
  provider?: string;
  event_type?: string;
  /** JSON text, so that a number can be sent with exactly its digits. */
  quantity?: string;
  unit_cost?: string;
  total_cost?: string;
}

/** Logs a usage event. The three amounts are JSON text: `1e-7` is sent as a number, `"1"` as a string. */
export function logUsage(service: Service, fields: UsageFields = {}): Promise<Answer> {
  const { quantity = '1', unit_cost = '1', total_cost = '1', ...rest } = fields;
  const named = { session_id: 'session-1', user_id: 'user-1', provider: 'openai', event_type: 'llm_tokens', ...rest };
  const amounts = `"quantity":${quantity},"unit_cost":${unit_cost},"total_cost":${total_cost}`;
  const body = `${JSON.stringify(named).slice(0, -1)},${amounts}}`;
  return service.request('POST', '/api/usage/events', { body });
}
