import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { sql } from 'kysely';
import { assertRefused } from '../support/answers.ts';
import { watchStatements } from '../support/statements.ts';

const service = await startService();
const { db } = service.database;
const sent = watchStatements(service.database);

async function insert(user_id: string, agents: number, kib: number): Promise<void> {
  await sql`insert into agents (id, user_id, name, type, config, is_active, created_at, updated_at)
    select gen_random_uuid(), ${user_id}, 'A', 'PIPELINE', jsonb_build_object('prompt', repeat('x', ${kib * 1024}::int)),
      true, now(), now() from generate_series(1, ${agents}::int)`.execute(db);
}

/** The statements that a list takes. */
async function statementsOf(user: string): Promise<number> {
  const before = sent.length;
  const { status, body } = await service.request('GET', '/api/agents/', { user });
  assert.deepEqual([status, body.length > 0], [200, true]);
  return sent.slice(before).filter(({ sql: text }) => text.includes('"agents"')).length;
}

test('a list of few and small agents takes one statement, one of large agents takes many small ones', async () => {
  await insert('few', 64, 15);
  await insert('many', 65, 0);
  await insert('large', 30, 250);
  assert.deepEqual([await statementsOf('few'), await statementsOf('many'), await statementsOf('large')], [1, 2, 16]);
});

test('long lists whose clients have gone are not read, and keep nobody waiting', async () => {
  await insert('left', 30, 250);
  const clients = Array.from({ length: 20 }, () => net.connect(Number(new URL(service.url).port), '127.0.0.1'));
  const before = sent.length;
  for (const client of clients)
    client.write('GET /api/agents/ HTTP/1.1\r\nhost: x\r\nx-user-id: left\r\n\r\n'.repeat(15));
  await once(clients[0] as net.Socket, 'data');
  for (const client of clients) client.destroy();
  // A list of the same user is behind all of them.
  await eventually(
    () => service.request('GET', '/api/agents/', { user: 'left' }),
    ({ status }) => status === 200,
  );
  const lists = sent.slice(before).filter(({ sql: text }) => text.includes('bytes_before')).length / 15;
  assert.ok(lists < 10, `${lists} lists were read`);
});

test('of one user sixteen long lists wait at most', async () => {
  await insert('many at once', 30, 250);
  const ask = () => service.request('GET', '/api/agents/', { user: 'many at once' });
  const answers = await Promise.all(Array.from({ length: 40 }, ask));
  const refused = answers.filter(({ status }) => status !== 200);
  // Some more begin while others still arrive.
  assert.ok(refused.length > 10 && refused.length <= 23, `${refused.length} refused`);
  for (const answer of refused) {
    assertRefused(answer, 429, 'too_many_requests');
    assert.equal(answer.headers.get('retry-after'), '1');
  }
});
