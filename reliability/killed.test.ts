import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { asksToRetryLater, type Reply } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { type Receiver, startReceiver } from '@switchboard/testkit/receiver.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { type ServiceProcess, startProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { compare, compareReports } from './support/comparison.ts';
import {
  countMoney,
  findNever,
  makeDue,
  pendingCallbacks,
  secretsOf,
  undelivered,
  untilCallsEnd,
  untilReceived,
  wronglySigned,
} from './support/consistency.ts';
import { assertSound, countedRows, createLedger, type Ledger } from './support/ledger.ts';
import { LOAD_SETTINGS, runLoad, setBudgets, usersOf } from './support/load.ts';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 110);
/** Average number of requests between kills. */
const REQUESTS_EACH = 490;
/** Minimum number of kills, whatever chance brings. */
const REQUESTS = ROUNDS * 485;
const CLIENTS = 10;
/** Rounds. The events of each are compared in that round; reports cover the events of all. */
const REPORTS_EVERY = 5;
const BUSY_MS = 60_000;
interface Figures {
  ledger: Ledger;
  kills: number;
  callbacks: number;
  lines: number;
  thresholds: number;
  longestReadyMs: number;
}

type Where = { DATABASE_URL: string } | { DATA_DIR: string };

const figures = new Map<string, Figures>();
const cleanUp: (() => unknown)[] = [];
after(async () => {
  for (const step of cleanUp.reverse()) await step();
});

suite('after a kill at any moment under load, everything acknowledged is stored exactly once and complete', {
  concurrency: 2,
}, () => {
  test('on the embedded database', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-killed-'));
    cleanUp.push(() => rmSync(dir, { recursive: true, force: true }));
    await killAgainAndAgain('embedded database', { DATA_DIR: dir });
  });

  test('on PostgreSQL', async () => {
    const postgres = await startPostgres(await freePort());
    cleanUp.push(() => postgres.remove());
    await killAgainAndAgain('PostgreSQL', { DATABASE_URL: await postgres.createDatabase('killed') });
  });
});

after(() => {
  const all = [...figures.values()];
  const total = (of: (one: Figures) => number) => all.reduce((sum, one) => sum + of(one), 0);
  writeSection(1, 'killed', report(), {
    'kills of the service': total(({ kills }) => kills),
    'requests of clients under these kills': total(({ ledger }) => ledger.requests),
    'callbacks of these clients, each delivered and signed': total(({ callbacks }) => callbacks),
  });
});

async function killAgainAndAgain(name: string, where: Where): Promise<void> {
  const receiver = await startReceiver();
  const ledger = createLedger(CLIENTS);
  const counted: Figures = { ledger, kills: 0, callbacks: 0, lines: 0, thresholds: 0, longestReadyMs: 0 };
  figures.set(name, counted);
  let service = await start(where);
  await setBudgets({ ledger, url: service.url, callbackUrl: receiver.url });
  for (let round = 0; round < ROUNDS || ledger.requests < REQUESTS; round++) {
    const before = ledger.stints.length;
    await loadAndKill(ledger, service, receiver);
    counted.kills++;
    const begun = performance.now();
    service = await start(where);
    counted.longestReadyMs = Math.max(counted.longestReadyMs, performance.now() - begun);
    await compare(ledger, service.url, ledger.stints.slice(before));
    if (round % REPORTS_EVERY === 0) await compareReports(ledger, service.url);
    assertSound(ledger, `after kill ${round + 1}`);
  }
  await compare(ledger, service.url, ledger.stints);
  await compareReports(ledger, service.url);
  // Repeated requests may have placed calls, which a living process keeps open.
  await service.end('SIGKILL');
  service = await start(where);
  await untilCallsEnd(service.url);
  Object.assign(counted, await settle(where, service, receiver, ledger));
  assert.ok(counted.lines > 0 && counted.thresholds > 0, `${counted.lines} lines, ${counted.thresholds} thresholds`);
  assertSound(ledger, 'at the end');
  assert.equal(ledger.refused, 0, `${ledger.refused} refused by a service that runs, and a database too`);
}

async function start(where: Where): Promise<ServiceProcess> {
  const service = await startProcess({ ...LOAD_SETTINGS, ...where });
  cleanUp.push(() => service.child.kill('SIGKILL'));
  return service;
}

/**
 * Clients at work; after some requests the process is killed, and each client sees the consequences. Requests are
 * mostly counted from when all clients are at work: the first ones take longer, and few would be in flight.
 */
async function loadAndKill(ledger: Ledger, service: ServiceProcess, receiver: Receiver): Promise<void> {
  const killed = new AbortController();
  const judge = (reply: Reply) => {
    const { status, body } = reply;
    const isWrong = status === 0 ? !killed.signal.aborted : status >= 400 && status !== 409;
    return isWrong && !asksToRetryLater(reply) ? `answered ${status} ${JSON.stringify(body)}` : null;
  };
  const load = runLoad({ ledger, url: service.url, callbackUrl: receiver.url, stopping: killed.signal, judge });
  const busy = ledger.stints.length + (randomInt(5) === 0 ? 0 : CLIENTS);
  try {
    await eventually(
      async () => ledger.stints.length,
      (begun) => begun >= busy,
      BUSY_MS,
    );
    const enough = ledger.requests + randomInt(2 * REQUESTS_EACH);
    await eventually(
      async () => ledger.requests,
      (count) => count >= enough,
      BUSY_MS,
    );
    // At any moment, not only right after a response.
    await systemClock.sleep(randomInt(50));
  } finally {
    const gone = service.end('SIGKILL');
    killed.abort();
    await Promise.all([load, gone]);
  }
}

/**
 * Waits until everything unfinished has settled, and checks the tables. Returns its counts.
 */
async function settle(
  where: Where,
  last: ServiceProcess,
  receiver: Receiver,
  ledger: Ledger,
): Promise<Pick<Figures, 'callbacks' | 'lines' | 'thresholds'>> {
  await last.end('SIGTERM');
  const pending = await withDatabase(where, async (db) => {
    await makeDue(db);
    return pendingCallbacks(db);
  });
  const received = untilReceived(receiver, pending);
  const service = await start(where);
  await received;
  await compare(ledger, service.url, []); // Repairs have not taken a number from its agent.
  assert.deepEqual(await wronglySigned(receiver, await secretsOf(service.url, usersOf(ledger))), []);
  await service.end('SIGTERM');
  verifyRollups(where);
  return withDatabase(where, async (db) => {
    assert.deepEqual(await findNever(db), []);
    assert.deepEqual(await undelivered(db, receiver), []);
    const callbacks = (await db.selectFrom('callbacks').select('id').execute()).length;
    return { callbacks, ...(await countMoney(db)) };
  });
}

async function withDatabase<T>(
  where: Where,
  work: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<T>,
): Promise<T> {
  const at = 'DATA_DIR' in where ? { dir: where.DATA_DIR } : { dir: '', url: where.DATABASE_URL };
  const database = await openDatabase({ ...at, poolMax: 2, onIdleError: () => {} });
  return work(database.db).finally(() => database.close());
}

function report(): string {
  const names = [...figures.keys()];
  const columns = [...figures.values()].map(({ ledger, kills, callbacks, lines, thresholds, longestReadyMs }) => [
    ['kills', kills],
    ...countedRows(ledger),
    ['callbacks, each delivered at least once, and signed', callbacks],
    ['phone lines answered, each billed once', lines],
    ['thresholds of budgets reached, each reported once', thresholds],
    ['longest start after a kill, s', (longestReadyMs / 1000).toFixed(1)],
  ]);
  const rows = (columns[0] ?? []).map(([what = ''], index) => [
    what,
    ...columns.map((column) => column[index]?.[1] ?? ''),
  ]);
  return `## The service, killed

${CLIENTS} clients work without a pause; after up to ${2 * REQUESTS_EACH} requests the process gets SIGKILL and is started again. Then the responses that the
clients got are compared with what is stored, and every report with the exact sum of the events.

${table(['', ...names], rows)}`;
}
