import type { Static } from 'typebox';
import type { Agent, Agents } from '../agents/agents.ts';
import { type Database, isDatabaseUnavailable } from '../db/database.ts';
import { type Idempotency, once } from '../db/idempotency.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { createTogether } from '../lib/together.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { assertCallable, type CallingPolicy } from './destinations.ts';
import type { Limits } from './limits.ts';
import type { OutboundCall } from './schema.ts';

export type Placing = ReturnType<typeof createPlacing>;

/** The answer to `POST /api/calls/outbound`. */
export interface StartedCall {
  call_id: string;
  room_name: string;
  status: string;
}

interface Request {
  user_id: string;
  input: Static<typeof OutboundCall>;
  idempotency: Idempotency | null;
}

interface Deps {
  db: Database['db'];
  agents: Agents;
  sessions: Sessions;
  policy: CallingPolicy;
  limits: Limits;
}

/**
 * Calls that are placed at the same time, and that may queue. Calls of one user wait for each other in the database:
 * without a bound they would take every connection of the pool.
 */
const MOST = { at_once: 1, under_way: 4, waiting: 2_000 };

/** Records outbound calls before anything is dialled. */
export function createPlacing({ db, agents, sessions, policy, limits }: Deps) {
  /** The answer, and what is to be dialled: null for a repeated request, whose call the first one has started. */
  async function record({ user_id, input, idempotency }: Request) {
    let started: { agent: Agent; session: Session } | null = null;
    const { answer } = await once(db, user_id, idempotency, async (trx): Promise<StartedCall | Error> => {
      // Locked until the call is there: an erasure of the user waits for this call, or this call finds the agent gone.
      const agent = await agents.lock(trx, input.agent_id, user_id);
      assertCallable(input.phone_number, policy);
      if (!agent.is_active) throw new AppError('agent_inactive');
      const refusal = await limits.countCall(trx, user_id);
      if (refusal) return refusal;
      const session = await sessions.add(trx, {
        ...{ room_name: `call-${newId()}`, user_id, agent_id: agent.id, status: 'CREATED' },
        ...{ call_direction: 'OUTBOUND', call_status: 'RINGING', outbound_phone_number: input.phone_number },
        callback_url: input.callback_url ?? null,
      });
      if (!session) throw new AppError('internal_error');
      started = { agent, session };
      return { call_id: session.id, room_name: session.room_name, status: 'RINGING' };
    });
    return { answer, started: started as { agent: Agent; session: Session } | null };
  }

  const queue = createTogether({
    most: MOST,
    doAll: (requests: Request[]) => Promise.all(requests.map(record)),
    isOfOne: (error) => !(error instanceof Error && isDatabaseUnavailable(error)),
  });
  return (user_id: string, input: Request['input'], idempotency: Idempotency | null) =>
    queue({ user_id, input, idempotency });
}
