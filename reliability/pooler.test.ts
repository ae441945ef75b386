// The service behind PgBouncer in transaction mode, whose next transaction may get another connection of the server.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { query, startPostgres } from '@switchboard/testkit/postgres.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { sql } from 'kysely';
import { keepsPreparedStatements } from '../packages/server/src/db/pooler.ts';
import { openPostgres } from '../packages/server/src/db/postgres.ts';
import { startPgBouncer } from './support/pgbouncer.ts';

const postgres = await startPostgres(await freePort());
after(() => postgres.remove());
const DATABASE_URL = await postgres.createDatabase('pooled');
const pooler = await startPgBouncer(DATABASE_URL);
after(() => pooler.remove());
const LOST = /a pooler in front of PostgreSQL loses prepared statements/;

test('prepared statements are found to survive without a pooler, and not to survive this one', async () => {
  assert.equal(await keepsPreparedStatements(DATABASE_URL), true);
  for (let times = 0; times < 5; times++) assert.equal(await keepsPreparedStatements(pooler.url), false);
});

// A process that misses it fails requests until it ends. Most were missed while connections to a database are opened.
test('this is found out while other clients use the pooler as well, each time', async () => {
  for (let times = 0; times < 25; times++) {
    const { pathname } = new URL(await postgres.createDatabase(`pooled_${times}`));
    const url = new URL(pathname, pooler.url).href;
    const clients = Array.from({ length: 4 }, () =>
      openPostgres(url, { max: 1, onIdleError: () => {}, prepare: false }),
    );
    let isOver = false;
    const load = clients.map(async ({ db }) => {
      while (!isOver) {
        await sql`select pg_sleep(random() * 0.01)`.execute(db);
        await sleep(Math.random() * 20);
      }
    });
    for (let start = 0; start < 20; start++) assert.equal(await keepsPreparedStatements(url), false);
    isOver = true;
    await Promise.all(load);
    for (const { close } of clients) await close();
  }
});

for (const [how, env, warns] of [
  ['with a warning', {}, true],
  ['without one if it is told so', { DATABASE_PREPARE: 'false' }, false],
] as const)
  test(`the service works without prepared statements, ${how}: no request fails`, async (t) => {
    const services = [
      await startProcess({ DATABASE_URL: pooler.url, ...env }),
      await startProcess({ DATABASE_URL: pooler.url, ...env }),
    ] as const;
    t.after(() => Promise.all(services.map((service) => service.end('SIGKILL'))));
    for (const { output } of services) assert.equal(LOST.test(output()), warns);
    await work(services);
    await eventually(
      () =>
        query<{ count: string }>(DATABASE_URL, `select count(*) from sessions where status in ('CREATED', 'ACTIVE')`),
      ([row]) => row?.count === '0',
    );
    verifyRollups({ DATABASE_URL });
  });

// Debian's PgBouncer is older than 1.21, the first that keeps prepared statements. With a later one:
// PGBOUNCER_LATER=/path/to/pgbouncer npm run test:reliability -- reliability/pooler.test.ts
const { PGBOUNCER_LATER } = process.env;
if (PGBOUNCER_LATER)
  test('behind a PgBouncer that keeps prepared statements the service uses them: no request fails, no warning', async (t) => {
    const url = await postgres.createDatabase('pooled_later');
    const later = await startPgBouncer(url, PGBOUNCER_LATER);
    const services = [
      await startProcess({ DATABASE_URL: later.url }),
      await startProcess({ DATABASE_URL: later.url }),
    ] as const;
    t.after(async () => {
      await Promise.all(services.map((service) => service.end('SIGKILL')));
      await later.remove();
    });
    assert.equal(await keepsPreparedStatements(later.url), true);
    for (const { output } of services) assert.doesNotMatch(output(), LOST);
    await work(services);
    verifyRollups({ DATABASE_URL: url });
  });

test('the start fails with the words of the pooler', async () => {
  const options = encodeURIComponent('-c statement_timeout=5000');
  const starting = startProcess({ DATABASE_URL: `${pooler.url}?options=${options}` });
  await assert.rejects(
    starting,
    /refuses the connection: unsupported startup parameter: options\. Correct DATABASE_URL/,
  );
});

test('a transaction whose client is silent is ended behind the pooler too', async () => {
  const { db, close } = openPostgres(pooler.url, { max: 1, onIdleError: () => {} });
  const silent = db.transaction().execute(async (trx) => {
    await trx.selectFrom('installation').selectAll().forUpdate().execute();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await trx.selectFrom('installation').selectAll().execute();
  });
  await assert.rejects(silent, /idle-in-transaction|Connection terminated|connection error/);
  await close().catch(() => {});
});

/** Clients that do a little of everything at once, over both processes. */
async function work(services: readonly ServiceProcess[]): Promise<void> {
  const user = randomUUID();
  const of = (index: number) => services[index % services.length]?.url ?? '';
  const post = async (index: number, path: string, body: object) => {
    const reply = await send(of(index), { method: 'POST', path, user, key: randomUUID(), body });
    assert.ok(reply.status === 200 || reply.status === 201, `${path} ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const agents = await Promise.all(
    [0, 1].map((index) => post(index, '/api/agents/', { name: 'Front desk', user_id: user })),
  );
  await Promise.all(
    Array.from({ length: 12 }, async (_, client) => {
      for (let round = 0; round < 10; round++) {
        const index = client + round;
        const agent_id = agents[index % 2].id;
        const session = await post(index, '/api/sessions/', { user_id: user, agent_id });
        const event = { session_id: session.id, user_id: user, agent_id, provider: 'p', event_type: 'llm_tokens' };
        const amounts = { quantity: 1, unit_cost: 1, total_cost: 1 };
        await post(index, '/api/usage/events', { ...event, ...amounts });
        await post(index, `/api/sessions/by-room/${session.room_name}/transcripts`, { content: 'Hello' });
        const reads = ['/api/costs/summary', '/api/agents/', '/api/sessions/', `/api/sessions/${session.id}`];
        for (const path of reads) {
          const { status, body } = await send(of(index + 1), { path, user });
          assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
        }
        const ended = { method: 'PATCH', path: `/api/sessions/${session.id}`, user, body: { duration: 1 } };
        assert.equal((await send(of(index), ended)).status, 200);
      }
    }),
  );
}
