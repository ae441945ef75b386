// The agents, sessions and days of one user, to which operations that meet write.
import assert from 'node:assert/strict';
import { createAgent } from '@switchboard/testkit/calls.ts';
import type { Answer, Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import type { CarrierCall } from '../../../src/providers/carrier.ts';
import { openCalls } from '../ended-calls.ts';

/** Null: it has no response that says whether it was carried out. */
export type Operation = (service: Service, index: number) => Promise<Answer | null>;

interface OpenCall {
  id: string;
  room_name: string;
}

export interface World {
  user: string;
  agents: string[];
  /** Ended calls with transcripts, and their rooms. */
  ended: string[];
  rooms: string[];
  /** Takes an open call of a phone that was called, and of one that has called. */
  takeOutbound: () => OpenCall;
  takeInbound: () => OpenCall;
  /** The records of the carrier, which an operation adds to. */
  bill: CarrierCall[];
}

export const of = <T>(list: readonly T[], index: number) => list[index % list.length] as T;

/** Lets agents call back. */
export const CONFIG = { instructions: 'The library opens at ten on Sundays.', tools: { call_back: {} } };
export const said = { speaker: 'USER', content: 'When do you open on Sunday?' };

/** Requests of a user; the body of a refused one is empty. */
export const asking =
  (user: string) =>
  async (service: Service, method: string, path: string, body?: object): Promise<Json> => {
    const answer = await service.request(method, path, { user, ...(body && { body }) });
    return answer.status < 300 ? answer.body : {};
  };

interface Counts {
  outbound: number;
  inbound: number;
  ended: number;
}

/** A user with agents, ended calls, and open ones that are all alike, so that they are counted in the same rows. */
export async function openWorld(
  service: Service,
  user: string,
  { outbound, inbound, ended }: Counts,
  bill: CarrierCall[],
): Promise<World> {
  const { db } = service.database;
  const agents = [0, 1].map(() => createAgent(service, { user_id: user, config: CONFIG }));
  const world = { user, agents: await Promise.all(agents), bill };
  const ids = await openCalls(service, user, world.agents, ended + inbound + outbound);
  const calls = ids.map((id, index) => ({ id, room_name: `call-${user}-${index}` }));
  await db
    .updateTable('sessions')
    .set({ status: 'ACTIVE', call_status: 'ANSWERED', call_direction: 'OUTBOUND' })
    .set({ created_at: sql<Date>`now() - interval '1 second'`, started_at: sql<Date>`now()` })
    .where('user_id', '=', user)
    .execute();
  const over = calls.splice(0, ended);
  await Promise.all(over.map((call) => end(service, call)));
  const called = calls.splice(0, inbound);
  await db
    .updateTable('sessions')
    .set({ call_direction: 'INBOUND', carrier_call_sid: sql<string>`'CA' || replace(id::text, '-', '')` })
    .where(
      'id',
      'in',
      called.map(({ id }) => id),
    )
    .execute();
  const take = (from: OpenCall[]) => () => from.pop() ?? assert.fail('no call is left');
  const [takeOutbound, takeInbound] = [take(calls), take(called)];
  const [of, rooms] = [over.map(({ id }) => id), over.map(({ room_name }) => room_name)];
  return { ...world, ended: of, rooms, takeOutbound, takeInbound };
}

async function end(service: Service, { id, room_name }: OpenCall): Promise<void> {
  const ended = await service.request('PATCH', `/api/sessions/${id}`, { body: { duration: 10 } });
  assert.equal(ended.status, 200);
  await service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: said });
}
