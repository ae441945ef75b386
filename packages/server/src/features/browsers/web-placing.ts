import type { Database } from '../../db/database.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Agent, Agents } from '../agents/agents.ts';
import { type CallData, callDataColumns } from '../dialling/call-data.ts';
import type { Limits } from '../dialling/limits.ts';
import { type Idempotency, once } from '../idempotency/idempotency.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';

export type WebPlacing = ReturnType<typeof createWebPlacing>;

/** A call in a browser: its agent, its data, and its callback URL. */
export interface WebCall extends CallData {
  agent_id: string;
  callback_url?: string | null | undefined;
}

interface Deps {
  db: Database['db'];
  clock: Clock;
  agents: Agents;
  sessions: Sessions;
  limits: Limits;
}

/** Records calls in browsers before their rooms are created, within the limits for phone calls. */
export function createWebPlacing({ db, clock, agents, sessions, limits }: Deps) {
  /**
   * The call's id, and the work that remains; `begun` is null for a repeated request. Throws `not_found`,
   * `agent_inactive`, or `too_many_calls`.
   */
  return async function place(user_id: string, input: WebCall, idempotency: Idempotency | null) {
    let begun: { agent: Agent; session: Session } | null = null;
    const { answer } = await once<{ call_id: string }>(db, user_id, idempotency, async (trx) => {
      // The lock makes an erasure of the user wait until the call is recorded, or the call find the agent gone.
      const [agent] = await agents.share(trx, [{ id: input.agent_id, user_id }], true);
      if (!agent || agent instanceof AppError) return agent ?? new AppError('not_found');
      if (!agent.is_active) return new AppError('agent_inactive');
      const refusal = await limits.countCall(trx, user_id);
      if (refusal) return refusal;
      const session = await sessions.add(trx, {
        room_name: `web-${newId()}`,
        user_id,
        agent_id: agent.id,
        callback_url: input.callback_url ?? agent.callback_url,
        status: 'CREATED',
        call_status: 'RINGING',
        dispatched_at: clock.now(),
        ...callDataColumns(input),
      });
      if (!session) return new AppError('internal_error');
      begun = { agent, session };
      return { call_id: session.id };
    });
    return { call_id: answer.call_id, begun: begun as { agent: Agent; session: Session } | null };
  };
}
