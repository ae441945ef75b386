import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { type Json, type Reply, type Request, read, readPages, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { type Postgres, startPostgres } from '@switchboard/testkit/postgres.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import pg from 'pg';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { compare, compareReports } from './support/comparison.ts';
import { findNever, makeDue, secretsOf, undelivered, untilCallsEnd, wronglySigned } from './support/consistency.ts';
import { assertSound, countedRows, createLedger, type Ledger } from './support/ledger.ts';
import { LOAD_SETTINGS, runLoad, usersOf } from './support/load.ts';

const ROUNDS = Number(process.env.DATABASE_KILL_ROUNDS ?? 5);
const CLIENTS = 10;
const POOL_MAX = 10;
const AWAY_MS = 2_000;
const BACK_WITHIN_MS = 5_000;
const BUSY_MS = 60_000;

const figures = {
  kills: 0,
  callbacks: 0,
  down: 0,
  longestDownMs: 0,
  longestHealthMs: 0,
  longestBackMs: 0,
  mostConnections: 0,
};
const ledger = createLedger(CLIENTS);
const postgres = await startPostgres(await freePort());
const DATABASE_URL = await postgres.createDatabase('database_killed');
const settings = { ...LOAD_SETTINGS, DATABASE_URL, DATABASE_POOL_MAX: String(POOL_MAX) };
const service = await startProcess(settings);
const receiver = await startReceiver();
const { url } = service;
after(async () => {
  await service.end('SIGKILL');
  await postgres.remove();
  writeSection(2, 'database-killed', report(), {
    'kills of PostgreSQL': figures.kills,
    'requests of clients under these kills': ledger.requests,
    'callbacks of these clients, each delivered and signed': figures.callbacks,
  });
});

test('PostgreSQL killed under load: 503 with Retry-After meanwhile, serving within 5 s of its return, nothing lost, no connection leaked', async () => {
  for (let round = 1; round <= ROUNDS; round++) {
    const before = ledger.stints.length;
    await killUnderLoad(round);
    figures.kills++;
    assert.equal(service.child.exitCode, null, 'the process lives');
    await compare(ledger, url, ledger.stints.slice(before));
    await compareReports(ledger, url);
    assertSound(ledger, `after kill ${round}`);
  }
  await compare(ledger, url, ledger.stints);
  assertSound(ledger, 'at the end');
  verifyRollups({ DATABASE_URL });
});

test('when PostgreSQL is back, the background work resumes: calls are settled, callbacks delivered, numbers repaired', async () => {
  await untilCallsEnd(url, endsByItself);
  for (const { call_id } of await readPages(url, '/api/calls/?status=ACTIVE'))
    await send(url, { method: 'POST', path: `/api/calls/${call_id}/end` });
  const database = await openDatabase({ url: DATABASE_URL, poolMax: 1, dir: '', onIdleError: () => {} });
  try {
    await makeDue(database.db);
    await eventually(
      () => undelivered(database.db, receiver),
      ({ length }) => length === 0,
      BUSY_MS,
    );
    assert.deepEqual(await wronglySigned(receiver, await secretsOf(url, usersOf(ledger))), []);
    figures.callbacks = (await database.db.selectFrom('callbacks').select('id').execute()).length;
    await eventually(
      () => findNever(database.db),
      ({ length }) => length === 0,
      BUSY_MS,
    );
  } finally {
    await database.close();
  }
});

test('once idle, no connection is busy, waited for or leaked', async () => {
  await eventually(
    async () => String(await read(url, '/metrics')),
    (text) => {
      const of = (state: string) =>
        Number(new RegExp(`^db_pool_connections\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1]);
      return of('waiting') === 0 && of('idle') === of('total') && of('total') <= POOL_MAX;
    },
    BUSY_MS,
  );
  await countConnections(postgres);
  assert.ok(figures.mostConnections <= POOL_MAX, `${figures.mostConnections} connections`);
});

/** Clients at work while the database is killed, is down and comes back. */
async function killUnderLoad(round: number): Promise<void> {
  const busy = ledger.stints.length + CLIENTS;
  const stopping = new AbortController();
  const load = runLoad({ ledger, url, callbackUrl: receiver.url, stopping: stopping.signal, judge });
  try {
    await eventually(
      async () => ledger.stints.length,
      (begun) => begun >= busy,
      BUSY_MS,
    );
    await systemClock.sleep(randomInt(50, 601));
    await postgres.kill();
    await whileDown();
    await postgres.start();
    await servesAgain(round);
    await systemClock.sleep(randomInt(50, 601));
    await countConnections(postgres);
  } finally {
    stopping.abort();
    await load;
  }
}

/**
 * Whether a call ends by itself: one that rings, or whose phone hangs up, possibly without any event about it.
 */
function endsByItself({ call_status, outbound_phone_number }: Json): boolean {
  return call_status === 'RINGING' || outbound_phone_number === '+15005550005';
}

/** The database may go down at any moment: then 503 with Retry-After, and never another error or no response. */
function judge({ status, headers, body }: Reply): string | null {
  const isRight =
    status === 503 ? Number(headers.get('retry-after')) > 0 : (status >= 200 && status < 300) || status === 409;
  return isRight ? null : `answered ${status} ${JSON.stringify(body)}`;
}

/** Sends every request while the database is down. */
async function whileDown(): Promise<void> {
  const stint = ledger.stints.at(-1);
  const user = stint?.user ?? '';
  const requests: Request[] = [
    ...['/readyz', '/api/agents/', `/api/agents/${stint?.agent_id}`, `/api/sessions/${stint?.session_id}`].map(
      (path) => ({ path, user }),
    ),
    ...['/api/costs/summary', '/api/costs/timeline', '/api/calls/', '/api/telephony/numbers'].map((path) => ({
      path,
      user,
    })),
    { method: 'POST', path: '/api/agents/', body: { name: 'Never', user_id: user } },
    { method: 'POST', path: '/api/sessions/', body: { user_id: user } },
  ];
  const until = performance.now() + AWAY_MS;
  while (performance.now() < until) {
    for (const request of requests) {
      const reply = await send(url, request);
      figures.down++;
      figures.longestDownMs = Math.max(figures.longestDownMs, reply.ms);
      const retryAfter = Number(reply.headers.get('retry-after'));
      assert.deepEqual([reply.status, retryAfter > 0], [503, true], `${request.path}: ${JSON.stringify(reply.body)}`);
    }
    const health = await send(url, { path: '/healthz' });
    figures.longestHealthMs = Math.max(figures.longestHealthMs, health.ms);
    assert.equal(health.status, 200);
  }
}

/** Time from when the database accepts connections again: until ready, and until a write request succeeds. */
async function servesAgain(round: number): Promise<void> {
  const begun = performance.now();
  const ready = async () => (await send(url, { path: '/readyz' })).status;
  await eventually(ready, (status) => status === 200, BACK_WITHIN_MS);
  const write = { method: 'POST', path: '/api/agents/', body: { name: 'Back', user_id: `back-${round}` } };
  await eventually(
    async () => (await send(url, write)).status,
    (status) => status === 201,
    BACK_WITHIN_MS,
  );
  const backMs = performance.now() - begun;
  figures.longestBackMs = Math.max(figures.longestBackMs, backMs);
  assert.ok(backMs <= BACK_WITHIN_MS, `serving again after ${backMs} ms`);
}

async function countConnections(server: Postgres): Promise<void> {
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query(`select count(*)::int from pg_stat_activity where datname = 'database_killed'`);
  await client.end();
  figures.mostConnections = Math.max(figures.mostConnections, rows[0].count);
}

function report(): string {
  const rows: [string, string | number][] = [
    ['kills', figures.kills],
    ...countedRows(ledger as Ledger),
    ['callbacks, each delivered at least once, and signed', figures.callbacks],
    ['asked while the database was away, each answered 503 with `Retry-After`', figures.down],
    ['longest of those answers, ms', Math.ceil(figures.longestDownMs)],
    ['longest answer of `/healthz` meanwhile, ms', Math.ceil(figures.longestHealthMs)],
    ['longest answer of all, ms', Math.ceil(ledger.longestAnswerMs)],
    ['longest time from the return of the database until served, ms', Math.ceil(figures.longestBackMs)],
    [`most connections to the database (\`DATABASE_POOL_MAX\` is ${POOL_MAX})`, figures.mostConnections],
  ];
  return `## PostgreSQL, killed

${CLIENTS} clients work without a pause; PostgreSQL gets SIGKILL with all of its processes, is down for ${AWAY_MS / 1000} s and is started again, while
the service keeps running.

${table(['', 'PostgreSQL'], rows)}`;
}
