import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { fastify } from 'fastify';
import { sql } from 'kysely';
import { createCsvExports, MAX_EXPORTS } from '../../src/http/csv.ts';
import { insertUsageEvents } from '../../src/ledger/usage/store.ts';
import { newId } from '../../src/lib/ids.ts';
import { MAX_CONCURRENT_WRITERS } from '../../src/lib/spool.ts';
import { readCsv } from '../support/csv.ts';
import { holdTable } from '../support/hold-table.ts';

const DAYS = 20;
const AGENTS = 4_000;
/** Fills the rows, so that fewer of them are as much memory. */
const LONG = 'agent-'.repeat(40);
const service = await startService({ database: await openTestDatabase(true) });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function begin(query: string, user = 'many'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { headers: { accept: 'text/csv', 'x-user-id': user }, agent: false };
    get(`${service.url}/api/costs/report?${query}`, options, resolve).on('error', reject);
  });
}

test('a report of many rows takes no more memory than one of few, and misses none', async () => {
  await sql`
    insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
    select 'many', date '2026-01-01' + day, ${LONG} || agent, 'openai', 'llm_tokens', date '2026-01-01' + day, 1, agent, 1
    from generate_series(0, ${sql.lit(DAYS - 1)}) as day, generate_series(1, ${sql.lit(AGENTS)}) as agent`.execute(
    service.database.db,
  );
  for (const [query, rows] of [
    ['group_by=day,agent', DAYS * AGENTS],
    ['group_by=agent,day', DAYS * AGENTS],
    ['group_by=month,agent', AGENTS],
  ] as const) {
    const response = await begin(query);
    const before = heapInUse();
    const seen = { rows: 0, total: 0, highest: 0, text: '' };
    let previous = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (seen.text + chunk).split('\r\n');
      seen.text = lines.pop() ?? '';
      const isDue = Math.floor(seen.rows / 20_000) < Math.floor((seen.rows + lines.length) / 20_000);
      for (const line of lines.slice(seen.rows === 0 ? 1 : 0)) {
        const cells = line.split(',');
        // The groups, one of which has its name beside it.
        const place = cells.slice(0, 3).join(' ');
        assert.ok(place > previous, `${line} after ${previous}`);
        previous = place;
        seen.total += Number(cells[4]);
      }
      seen.rows += lines.length;
      if (isDue) seen.highest = Math.max(seen.highest, heapInUse() - before);
    }
    assert.deepEqual([seen.rows - 1, seen.total, seen.text], [rows, (DAYS * AGENTS * (AGENTS + 1)) / 2, ''], query);
    // All rows at once would be about 60 MB.
    assert.ok(seen.highest < 30_000_000, `${query}: ${seen.highest} bytes`);
  }
});

/** As many bytes as no socket holds of an answer that nobody reads. */
const LARGE_BYTES = 24_000_000;

for (const group_by of ['month,agent', 'agent,month']) {
  test(`a report by ${group_by} that is read slowly is a single snapshot, and delays no others`, async () => {
    const user_id = `slow ${group_by}`;
    const long = 'x'.repeat(230);
    const rows = Math.ceil(LARGE_BYTES / (long.length + 50));
    await sql`
      insert into usage_rollups (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
      select ${user_id}, day, agent_id, 'openai', 'llm_tokens', day, 1, 1, 1 from (
        select date '2026-01-01' + n % 100 as day, n || ${long} as agent_id from generate_series(1, ${rows}::int) as n
      ) as made`.execute(service.database.db);
    const response = await begin(`group_by=${group_by}`, user_id);
    // Waits for whatever the export does in the database, where that has one connection alone.
    const event = { session_id: 's', user_id, provider: 'openai', event_type: 'llm_tokens' as const, unit_cost: '1' };
    const last = { agent_id: 'z'.repeat(250), created_at: new Date('2026-12-31'), quantity: '1000000' };
    await insertUsageEvents(service.database.db, [{ ...event, ...last, id: newId() }]);
    await eventually(
      async () => service.database.connections(),
      ({ idle, total }) => idle === total,
    );
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const file = readCsv(text);
    const total = file.reduce((sum, row) => sum + Number(row.total_cost), 0);
    assert.deepEqual([file.length, total], [rows, rows]);
    const { body } = await service.request('GET', `/api/costs/report?group_by=month&user_id=${user_id}`);
    assert.equal(body.total_cost, String(rows + 1_000_000));
  });
}

test('a report that the disk does not take is a 503 before its first byte, and one that fits in memory is sent', async () => {
  const directory = process.env.TMPDIR;
  process.env.TMPDIR = '/nonexistent';
  try {
    const [full, small] = [
      await begin('group_by=agent,month', 'slow agent,month'),
      await begin('group_by=day', 'many'),
    ];
    let text = '';
    for await (const chunk of full.setEncoding('utf8')) text += chunk;
    assert.deepEqual([full.statusCode, JSON.parse(text).code], [503, 'no_temporary_space']);
    assert.equal(full.headers['retry-after'], '5');
    assert.equal(small.resume().statusCode, 200);
  } finally {
    if (directory === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = directory;
  }
});

// The embedded database runs its statements in this thread.
if (process.env.TEST_DATABASE_URL) {
  test('the statement of a report whose client disconnects is canceled, and no other', async () => {
    const { db } = service.database;
    const release = await holdTable(db, 'usage_rollups');
    /** Statements that wait for the lock. */
    async function waiting(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows[0]?.count ?? 0;
    }
    const report = service.request('GET', '/api/costs/report?group_by=day&user_id=many');
    const options = { headers: { accept: 'text/csv', 'x-user-id': 'many' }, agent: false };
    const request = get(`${service.url}/api/costs/report?group_by=day`, options).on('error', () => {});
    try {
      await eventually(waiting, (count) => count === 2);
      request.destroy();
      await eventually(waiting, (count) => count === 1);
    } finally {
      await release();
    }
    assert.equal((await report).status, 200);
    await eventually(
      async () => service.database.connections(),
      ({ idle, total }) => idle === total,
    );
  });
}

test('exports of clients that have gone keep their places until their work ends, or begin none', async () => {
  const app = fastify();
  const send = createCsvExports();
  const statement = Promise.withResolvers<void>();
  const seen = { asked: 0, begun: 0, closed: 0 };
  app.addHook('onRequest', async (request) => {
    Object.assign(request, { caller: 'me', principal: null, isStillAllowed: null });
  });
  app.get('/', (_request, reply) => {
    seen.asked += 1;
    reply.raw.once('close', () => {
      seen.closed += 1;
    });
    return send(reply, 'rows', { name: 'text' }, async (take) => {
      seen.begun += 1;
      await statement.promise;
      await take([{ name: 'x' }]);
    });
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const status = async () => (await fetch(url)).status;
  /** Asks for so many exports. */
  async function open(count: number) {
    const asked = seen.asked + count;
    const requests = Array.from({ length: count }, () => get(url, { agent: false }).on('error', () => {}));
    await eventually(
      async () => seen.asked,
      (times) => times === asked,
    );
    return requests;
  }
  const gone = await open(MAX_EXPORTS);
  for (const request of gone) request.destroy();
  await eventually(
    async () => seen.closed,
    (times) => times === MAX_EXPORTS,
  );
  const next = await open(MAX_EXPORTS - MAX_CONCURRENT_WRITERS);
  assert.equal(await status(), 429);
  assert.equal(seen.begun, MAX_CONCURRENT_WRITERS);
  statement.resolve();
  await eventually(status, (code) => code === 200);
  for (const request of next) request.destroy();
  await app.close();
});
