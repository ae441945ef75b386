import type { Static } from 'typebox';
import type { Agent, Agents } from '../agents/agents.ts';
import type { Database } from '../db/database.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import { type Idempotency, onceEachIn, type Repeatable } from '../db/idempotency.ts';
import type { Db } from '../db/tables.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import { assertCallable, type CallingPolicy } from './destinations.ts';
import type { Limits } from './limits.ts';
import type { OutboundCall } from './schema.ts';

export type Placing = ReturnType<typeof createPlacing>;

/** Operation 6's answer. */
export interface StartedCall {
  call_id: string;
  room_name: string;
  status: string;
}

interface Request extends Repeatable {
  input: Static<typeof OutboundCall>;
  /** What this process is to dial. */
  started?: { agent: Agent; session: Session };
}

interface Deps {
  db: Database['db'];
  agents: Agents;
  sessions: Sessions;
  policy: CallingPolicy;
  limits: Limits;
}

/** Calls of one transaction, and calls that may wait for theirs: a few seconds of what a database takes. */
const MOST = { at_once: 200, waiting: 2_000 };
/** Somebody else has locked the agent, or there is none: the call is placed alone, and waits. */
const HELD = new Error('the agent is not free');

/** Writes down outbound calls before anything is dialled; those that are asked for at the same time in one transaction. */
export function createPlacing({ db, agents, sessions, policy, limits }: Deps) {
  function write(requests: Request[], wait: boolean) {
    return db.transaction().execute((trx) => onceEachIn(trx, requests, (undone) => add(trx, undone, wait)));
  }

  /** In the order of the requests: a call, or why there is none. */
  async function add(trx: Db, requests: Request[], wait: boolean): Promise<(StartedCall | Error)[]> {
    // Held until the call is there: an erasure of the user waits for this call, or this call finds the agent gone.
    const agentOf = await lockAgents(trx, requests, wait);
    const refusals = new Map<Request, Error>();
    for (const request of requests) {
      const refusal = refusalOf(request, agentOf.get(request), wait);
      if (refusal) refusals.set(request, refusal);
    }
    const possible = requests.filter((request) => !refusals.has(request));
    const tooMany = await limits.countCalls(
      trx,
      possible.map(({ user_id }) => user_id),
    );
    for (const [index, request] of possible.entries()) {
      const refusal = tooMany[index];
      if (refusal) refusals.set(request, refusal);
    }
    await insert(
      trx,
      possible.filter((request) => !refusals.has(request)),
      agentOf,
    );
    return requests.map((request) => refusals.get(request) ?? answerOf(request));
  }

  async function lockAgents(trx: Db, requests: Request[], wait: boolean): Promise<Map<Request, Agent>> {
    const ids = requests.map(({ input }) => input.agent_id.toLowerCase());
    const found = await agents.lockSome(trx, [...new Set(ids)], wait);
    return new Map(
      requests.flatMap((request, index) => {
        const agent = found.get(ids[index] as string);
        return agent ? [[request, agent] as const] : [];
      }),
    );
  }

  function refusalOf({ user_id, input }: Request, agent: Agent | undefined, waited: boolean): Error | null {
    if (!agent && !waited) return HELD;
    if (agent?.user_id !== user_id) return new AppError('not_found');
    try {
      assertCallable(input.phone_number, policy);
    } catch (error) {
      return error as Error;
    }
    return agent.is_active ? null : new AppError('agent_inactive');
  }

  async function insert(trx: Db, requests: Request[], agentOf: Map<Request, Agent>): Promise<void> {
    const added = await sessions.addCalls(
      trx,
      requests.map(({ user_id, input }) => ({
        room_name: `call-${newId()}`,
        user_id,
        agent_id: input.agent_id,
        outbound_phone_number: input.phone_number,
        callback_url: input.callback_url ?? null,
      })),
    );
    for (const [index, request] of requests.entries()) {
      const [agent, session] = [agentOf.get(request), added[index]];
      if (agent && session) request.started = { agent, session };
    }
  }

  const writeTogether = createGroupCommit<Request, { answer: StartedCall; first: boolean }>({
    doAll: (requests) => write(requests, false),
    most: MOST,
  });

  async function alone(request: Request) {
    const [result] = await write([request], true);
    if (!result || result instanceof Error) throw result ?? new AppError('internal_error');
    return result;
  }

  /** The answer, and what is to be dialled now; that is null for a repeated request, whose call the first has started. */
  return async function place(user_id: string, input: Request['input'], idempotency: Idempotency | null) {
    const request: Request = { user_id, idempotency, input };
    const { answer, first } = await writeTogether(request).catch((error: unknown) => {
      if (error === HELD) return alone(request);
      throw error;
    });
    return { answer, started: (first && request.started) || null };
  };
}

function answerOf({ started }: Request): StartedCall | Error {
  if (!started) return new AppError('internal_error');
  return { call_id: started.session.id, room_name: started.session.room_name, status: 'RINGING' };
}
