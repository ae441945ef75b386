// Budgets without a price: an open call reserves the mean cost of calls that have ended, and of nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, USER } from '@switchboard/testkit/calls.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';

const PHONE = '+15005550100';

/** Adds calls that have ended, a minute apart, the newest this many minutes ago; returns their ids. */
async function addEnded({ database }: Service, count: number, minutesAgo = 1): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into sessions (id, room_name, user_id, status, call_direction, call_status, session_data, started_at, ended_at, created_at, updated_at)
    select id_from(at), gen_random_uuid(), ${USER}, 'COMPLETED', 'OUTBOUND', 'COMPLETED', '{}', at, at, at, at
    from generate_series(${minutesAgo}::int, ${minutesAgo + count - 1}::int) as i,
      lateral (select now() - i * interval '1 minute' as at) as times
    returning id`.execute(database.db);
  return rows.map(({ id }) => id);
}

async function spend(service: Service, total_cost: string, session_ids: string[], user_id = USER): Promise<void> {
  const of = { user_id, provider: 'openai', event_type: 'llm_tokens', quantity: '1', unit_cost: '1', total_cost };
  const events = session_ids.map((session_id) => ({ session_id, ...of }));
  assert.equal((await service.request('POST', '/api/usage/events/batch', { body: { events } })).status, 201);
}

async function startWithBudget(): Promise<Service & { agent_id: string }> {
  const service = await startService();
  const body = { monthly_limit: '1000', refuse_calls: true };
  assert.equal((await service.request('PUT', `/api/budgets/${USER}`, { body })).status, 200);
  return { ...service, agent_id: await createAgent(service) };
}

const reserved = async (service: Service) => (await service.request('GET', `/api/budgets/${USER}`)).body.reserved;

test('what chats and other users cost, what belongs to no call, and credits are not in the mean cost of a call', async () => {
  const service = await startWithBudget();
  const { agent_id } = service;
  const calls = await addEnded(service, 20);
  await spend(service, '0.1', calls);
  await spend(service, '7', calls, 'user-2');
  const { body: chat } = await service.request('POST', '/api/chats', { user: USER, body: { agent_id } });
  await service.request('POST', `/api/chats/${chat.chat_id}/end`, { user: USER });
  await spend(service, '100', [chat.chat_id, 'no-session']);
  await placeCall(service, PHONE, { agent_id });
  assert.equal(await reserved(service), '0.1');
  await spend(service, '-300', ['credit']);
  assert.equal(await reserved(service), '0.1');
});

test('the newest twenty calls that were answered and have ended decide, and fewer, or those of years ago, say nothing', async () => {
  const service = await startWithBudget();
  const { agent_id } = service;
  await spend(service, '5', await addEnded(service, 30, 600_000));
  await placeCall(service, PHONE, { agent_id });
  await spend(service, '3', await addEnded(service, 19, 500));
  assert.equal(await reserved(service), '0');
  await spend(service, '3', await addEnded(service, 1, 400));
  assert.equal(await reserved(service), '3');
  await spend(service, '0.2', await addEnded(service, 20));
  assert.equal(await reserved(service), '0.2');
  // While a trunk is away, all fail.
  const failed = await addEnded(service, 20);
  await service.database.db.updateTable('sessions').set({ started_at: null }).where('id', 'in', failed).execute();
  assert.equal(await reserved(service), '0.2');
});
