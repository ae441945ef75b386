import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { MORNING, NIGHT, nightAgent } from '../support/versions.ts';

const service = await startService();
const { db } = service.database;
const TABLES = ['agent_versions', 'agent_releases', 'agent_drafts'];

async function rowsOf(agent_id: string): Promise<number[]> {
  const counts = TABLES.map(async (table) => {
    const { rows } = await sql`select from ${sql.table(table)} where agent_id = ${agent_id}::uuid`.execute(db);
    return rows.length;
  });
  return Promise.all(counts);
}

test('an update that cannot record its release changes nothing: agent, version and release are one transaction', async (t) => {
  const { id, send, agent, arms } = await nightAgent(service);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'killed here'; end $$`.execute(
    db,
  );
  await sql`create trigger refuse before insert on agent_releases for each row execute function refuse()`.execute(db);
  t.after(() => sql`drop function refuse cascade`.execute(db));
  assert.equal((await send('PATCH', '', { config: MORNING })).status, 500);
  assert.deepEqual(await rowsOf(id), [1, 1, 0]);
  assert.deepEqual([(await agent()).config, await arms()], [NIGHT, [{ version: 1, weight: 100 }]]);
  await sql`drop trigger refuse on agent_releases`.execute(db);
  assert.equal((await send('PATCH', '', { config: MORNING })).status, 200);
  assert.deepEqual(await arms(), [{ version: 2, weight: 100 }]);
});

test('whatever is done to an agent at the same moment, its release is what it shows', async () => {
  const { made, release, send, agent, arms } = await nightAgent(service);
  // As many releases as there are rollbacks below.
  for (const before of ['x', 'y', 'z']) await send('PATCH', '', { config: { before } });
  const numbers = [await made({ a: 1 }), await made({ a: 2 }), await made({ a: 3 })];
  const requests = numbers.flatMap((number) => [
    release([number, 100]),
    release([1, 40], [number, 60]),
    send('PATCH', '', { config: { patched: number } }),
    send('POST', '/rollback'),
    send('PUT', '/draft', { name: 'Desk', config: { draft: number } }),
    send('POST', '/versions', {}),
  ]);
  for (const { status, body } of await Promise.all(requests))
    assert.ok([200, 201].includes(status), `${status} ${JSON.stringify(body)}`);
  const [main] = (await arms()).toSorted((a, b) => b.weight - a.weight);
  assert.deepEqual((await agent()).config, (await send('GET', `/versions/${main?.version}`)).body.config);
  const releases = (await send('GET', '/releases?limit=100')).body.items.map(
    ({ number }: { number: number }) => number,
  );
  assert.deepEqual(
    releases,
    releases.map((_: number, index: number) => releases.length - index),
  );
});

test('an agent that is deleted while it is released leaves nothing, and a release of it afterwards is a 404', async () => {
  const { id, made, release, send } = await nightAgent(service);
  const number = await made(MORNING);
  const answers = await Promise.all([release([number, 100]), send('DELETE', ''), release([1, 50], [number, 50])]);
  for (const { status } of answers) assert.ok([200, 204, 404].includes(status), `${status}`);
  assertRefused(await release([number, 100]), 404, 'not_found');
  assertRefused(await send('POST', '/rollback'), 404, 'not_found');
  assertRefused(await send('PUT', '/draft', { name: 'Late', config: {} }), 404, 'not_found');
  assert.deepEqual(await rowsOf(id), [0, 0, 0]);
});

test('a user who is erased while its agent is changed leaves nothing', async () => {
  const user = 'soon-gone';
  const { id, made, release, send } = await nightAgent(service, user);
  const number = await made(MORNING);
  const answers = await Promise.all([
    release([number, 100]),
    service.request('DELETE', `/api/users/${user}`),
    send('PUT', '/draft', { name: 'Late', config: { late: true } }),
    send('POST', '/versions', {}),
    send('POST', '/rollback'),
  ]);
  for (const { status, body } of answers) assert.ok(status < 500, `${status} ${JSON.stringify(body)}`);
  assert.equal((await service.request('DELETE', `/api/users/${user}`)).status, 200);
  assert.deepEqual(await rowsOf(id), [0, 0, 0]);
});

test('a version that is no longer kept is neither released nor returned to', async () => {
  const { id, made, release, send } = await nightAgent(service);
  const number = await made(MORNING);
  await release([number, 100]);
  await release([1, 100]);
  await sql`delete from agent_versions where agent_id = ${id}::uuid and number = ${number}`.execute(db);
  assert.equal((await release([number, 100])).status, 422);
  assertRefused(await send('POST', '/rollback'), 409, 'no_previous_release');
});
