import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const service = await startService();
const { db } = service.database;
const endpoint = { url: 'https://example.com/releases', events: ['agent.released'] };

/** Bodies of the events that were queued for an agent, oldest first. */
async function queued(agent_id: string) {
  const query = db.selectFrom('callbacks').select(['session_id', 'payload']).where('type', '=', 'agent.released');
  const rows = await query.orderBy('created_at').orderBy('id').execute();
  return rows
    .map(({ session_id, payload }) => ({ session_id, ...JSON.parse(String(payload)).data }))
    .filter((data) => data.agent_id === agent_id);
}

/** An agent of a user who has an endpoint. */
async function heard(user_id: string) {
  assert.equal(
    (await service.request('POST', '/api/webhook-endpoints', { user: user_id, body: endpoint })).status,
    201,
  );
  const agent = await nightAgent(service, user_id);
  return { ...agent, user_id, events: () => queued(agent.id) };
}

test('a release, a rollback and an update are reported as the list of releases has them, each once', async () => {
  const { id, made, release, send, events, user_id } = await heard('one');
  assert.deepEqual(await events(), [], 'nobody is told of a new agent');
  const number = await made(MORNING);
  await send('PUT', '/draft', { name: 'Desk', config: NIGHT });
  assert.deepEqual(await events(), [], 'no call gets a version that is not released');
  await release([1, 30], [number, 70]);
  await release([number, 70], [1, 30]);
  const once = { user: user_id, headers: { 'idempotency-key': 'back' } };
  for (let count = 0; count < 2; count++)
    assert.equal((await service.request('POST', `/api/agents/${id}/rollback`, once)).status, 200);
  await send('PATCH', '', { config: MORNING });
  await send('PATCH', '', { config: MORNING });
  await send('PATCH', '', { is_active: false });
  const { items } = (await send('GET', '/releases')).body;
  const shown = items.map(({ created_by: _, ...one }: Record<string, unknown>) => one);
  const found = await events();
  assert.deepEqual(
    found.map(({ agent_id: _, user_id: __, session_id: ___, ...one }) => one),
    shown.slice(0, -1).reverse(),
  );
  assert.deepEqual(
    found.map(({ session_id, user_id: of, repeats, arms }) => [session_id, of, repeats, arms.length]),
    [
      [null, user_id, null, 2],
      [null, user_id, 1, 1],
      [null, user_id, null, 1],
    ],
  );
});

test('an agent is not released without its event: both are in one transaction', async () => {
  const { made, release, send, events } = await heard('torn');
  const number = await made(MORNING);
  await sql`alter table callbacks add constraint none check (type <> 'agent.released') not valid`.execute(db);
  assert.equal((await release([number, 100])).status, 500);
  assert.equal((await send('PATCH', '', { config: MORNING })).status, 500);
  assert.equal((await send('GET', '/releases')).body.items.length, 1);
  await sql`alter table callbacks drop constraint none`.execute(db);
  assert.equal((await release([number, 100])).status, 200);
  assert.equal((await events()).length, 1);
});
