import { type Session, type Switchboard, SwitchboardError } from '../../src/index.ts';

/** The error of a request that must fail with one of ours. */
export async function failure(request: PromiseLike<unknown>): Promise<SwitchboardError> {
  try {
    await request;
  } catch (error) {
    if (error instanceof SwitchboardError) return error;
    throw error;
  }
  throw new Error('the request has succeeded');
}

export function openSession(sb: Switchboard, user_id: string): Promise<Session> {
  return sb.sessions.create({ user_id, room_name: `room of ${user_id}` });
}

/** A usage event of the session. */
export function usageEvent({ id, user_id }: Session, quantity: string) {
  const event = { provider: 'openai', event_type: 'llm_tokens' as const, unit_cost: '0.25', total_cost: '0.25' };
  return { ...event, session_id: id, user_id, quantity };
}

/** The quantities of the session's usage events, in their order. */
export async function quantities(sb: Switchboard, { id, user_id }: Session): Promise<string[]> {
  const events = await sb.forUser(user_id).sessions.costs(id, { limit: 100 }).toArray();
  return events.map(({ quantity }) => quantity);
}
