import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { openPostgres } from '../../src/db/postgres.ts';
import { type Layouts, queryPrepared } from '../../src/db/prepared.ts';

const server = process.env.TEST_DATABASE_URL;

// The embedded database prepares nothing.
if (server) {
  test('a prepared statement has its rows described once for a connection, and reads the same each time', async (t) => {
    const { db, seen } = await watched(t, server);
    const read = (n: number) =>
      sql`-- prepared: read_values
        select i, i::int8 as big, '{"a": 1}'::jsonb as j, to_timestamp(i) as at, null::text as nothing
        from generate_series(1, ${n}::int) as i`.execute(db);
    const row = (i: number) => ({ i, big: i, j: { a: 1 }, at: new Date(i * 1000), nothing: null });
    for (const n of [2, 0, 1, 3]) {
      const { rows } = await read(n);
      assert.deepEqual(
        rows,
        Array.from({ length: n }, (_, index) => row(index + 1)),
      );
    }
    assert.equal(seen.filter((type) => type === 'T').length, 1);
    // Another statement has others.
    const { rows } = await sql`-- prepared: read_text
      select ${'a'}::text as a`.execute(db);
    assert.deepEqual(rows, [{ a: 'a' }]);
  });

  test('a prepared statement that fails says so, and the connection goes on', async (t) => {
    const { db } = await watched(t, server);
    const divide = (by: number) =>
      sql<{ n: number }>`-- prepared: divide
        select 6 / ${by}::int as n`.execute(db);
    await assert.rejects(divide(0), { code: '22012' });
    assert.deepEqual((await divide(2)).rows, [{ n: 3 }]);
    await assert.rejects(divide(0), { code: '22012' });
    assert.deepEqual((await divide(3)).rows, [{ n: 2 }]);
    const { numAffectedRows } = await sql`-- prepared: delete_none
      delete from leases where name = ${'none'}`.execute(db);
    assert.equal(numAffectedRows, 0n);
  });

  test('rows that would be others are refused by the server, not read wrongly', async (t) => {
    const { db } = await watched(t, server);
    await sql`create table things (value integer)`.execute(db);
    await sql`insert into things values (7)`.execute(db);
    const read = () =>
      sql`-- prepared: read_things
      select value from things`.execute(db);
    await read();
    await read();
    await sql`alter table things alter value type text`.execute(db);
    await assert.rejects(read(), /cached plan must not change result type/);
  });

  test('rows of another size, from a pooler that has prepared anew, fail, and are described again', async (t) => {
    const client = new pg.Client(server);
    await client.connect();
    t.after(() => client.end());
    const layouts: Layouts = new Map();
    const query = client.query.bind(client) as (query: object) => unknown;
    const read = () => queryPrepared(query, layouts, { name: 'read_two', text: 'select 1 as a, 2 as b', values: [] });
    await read();
    const layout = layouts.get('read_two');
    assert.ok(layout);
    layouts.set('read_two', { ...layout, fields: layout.fields.slice(1) });
    await assert.rejects(read(), /not those that were described/);
    assert.deepEqual(((await read()) as pg.QueryResult).rows, [{ a: 1, b: 2 }]);
  });
}

/** A pool of one connection to a database of its own, and the types of the messages that its server has sent. */
async function watched(t: TestContext, url: string) {
  const own = await openTestDatabase();
  t.after(() => own.close());
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(own.db);
  const { hostname, port } = new URL(url);
  const seen: string[] = [];
  const proxy = net.createServer((client) => {
    const upstream = net.connect(Number(port || 5432), hostname);
    client.pipe(upstream).pipe(client);
    readTypes(upstream, seen);
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const target = new URL(url);
  target.hostname = '127.0.0.1';
  target.port = String((proxy.address() as AddressInfo).port);
  target.pathname = `/${rows[0]?.name}`;
  const pool = openPostgres(target.href, { max: 1, onIdleError: () => {} });
  t.after(async () => {
    await pool.close();
    proxy.close();
  });
  return { db: pool.db, seen };
}

function readTypes(upstream: Socket, seen: string[]): void {
  let rest = Buffer.alloc(0);
  upstream.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      seen.push(rest.toString('latin1', 0, 1));
      rest = rest.subarray(1 + rest.readUInt32BE(1));
    }
  });
}
