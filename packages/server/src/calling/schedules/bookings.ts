import { type Idempotency, once } from '../../access/idempotency/idempotency.ts';
import type { Agent, Agents } from '../../conversations/agents/agents.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { canonicalNumber } from '../../lib/phone.ts';
import type { Platform } from '../../platform.ts';
import type { OutboundCall, StartedCall } from '../outbound/placing.ts';
import { columnsOf, SCHEDULED_CALL } from './records.ts';
import { MAX_SCHEDULED } from './schema.ts';
import { addScheduled, countScheduled, lockBookings, type ScheduledRow } from './store.ts';
import type { Plan } from './times.ts';

export type Bookings = ReturnType<typeof createBookings>;

interface Wanted extends Pick<ScheduledRow, 'user_id'> {
  request: OutboundCall;
  plan: Plan;
  status: 'SCHEDULED' | 'PROPOSED';
  /** The conversation in which an agent books it. */
  booked_in?: string;
}

/** New scheduled calls. */
export function createBookings({
  db,
  clock,
  work,
  agents,
}: Pick<Platform, 'db' | 'clock' | 'work'> & { agents: Agents }) {
  /** Books a call, once for each key; without a plan, which only a request needs that is not repeated. */
  async function book(user_id: string, request: OutboundCall, plan: Plan | null, idempotency: Idempotency | null) {
    const { answer } = await once(db, user_id, idempotency, async (trx): Promise<StartedCall | Error> => {
      if (!plan) return new AppError('idempotency_in_progress');
      const { id, room_name, due_at } = await insert(trx, { user_id, request, plan, status: 'SCHEDULED' });
      await work.add(trx, [{ kind: SCHEDULED_CALL, key: id, due_at }]);
      const state = { status: 'SCHEDULED', call_status: 'SCHEDULED' } as const;
      return { call_id: id, room_name, ...state, due_at: due_at.toISOString() };
    });
    return answer;
  }

  /** Throws `too_many_scheduled`, and `not_found` for an agent that is deleted meanwhile. */
  async function insert(trx: Db, wanted: Wanted): Promise<ScheduledRow> {
    const { user_id, request } = wanted;
    const { agent_id, agent_version: version, phone_number: number } = request;
    // The lock makes an erasure of the user wait, or finds that the agent is gone.
    const [agent] = await agents.share(trx, [{ id: agent_id, user_id, version, number }], true);
    if (!agent || agent instanceof Error) throw agent ?? new AppError('not_found');
    await assertRoom(trx, user_id);
    const row = rowOf(wanted, agent, clock.now());
    await addScheduled(trx, row);
    return row;
  }

  return { book, insert };
}

/** Throws `too_many_scheduled` unless the user may have one more call that waits. */
export async function assertRoom(trx: Db, user_id: string): Promise<void> {
  await lockBookings(trx, user_id);
  if ((await countScheduled(trx, user_id, MAX_SCHEDULED)) >= MAX_SCHEDULED) throw new AppError('too_many_scheduled');
}

function rowOf({ user_id, request, plan, status, booked_in }: Wanted, agent: Agent, now: Date): ScheduledRow {
  return {
    id: newId(),
    user_id,
    agent_id: agent.id,
    phone_number: canonicalNumber(request.phone_number),
    status,
    request: JSON.stringify(request),
    callback_url: request.callback_url ?? agent.callback_url,
    room_name: `call-${newId()}`,
    ...columnsOf(plan),
    reason: null,
    detail: null,
    call_id: null,
    booked_in: booked_in ?? null,
    created_at: now,
    updated_at: now,
  };
}
