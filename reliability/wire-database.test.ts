import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import pg from 'pg';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { type Fault, startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';
import { type Answered, ask, NAMES, type Name, prepare, type Target } from './support/wire-requests.ts';

/** Timeouts for a connection and then for a query (`packages/server/src/db/postgres.ts`), with a margin. */
const DEADLINE_S = 5 + 10 + 2.5;
const SETTLED_S = 5;
const POOL_MAX = 10;
/** A connection for each request: latency alone must have none refused, however long others hold theirs. */
const POOL_FOR_ALL = 60;
const PASS = { kind: 'pass' } as const;

const FAULTS: Record<string, Fault> = {
  '100 ms more each way': { kind: 'latency', ms: 100 },
  'connections reset': { kind: 'reset' },
  'port closed': { kind: 'refuse' },
  'black hole, healed': { kind: 'hole' },
  'black hole, its connections stay dead': { kind: 'hole', forgets: true },
  'cut after 1 byte of an answer': { kind: 'cut', bytes: 1 },
  'cut after 100 bytes of answers': { kind: 'cut', bytes: 100 },
  'cut after 600 bytes of answers': { kind: 'cut', bytes: 600 },
};

const postgres = await startPostgres(await freePort());
const closing = [() => postgres.remove()];
after(async () => {
  for (const close of closing.reverse()) await close();
});
const rows: string[] = [];

/** A service whose database is behind a proxy, and a client of the database that is not. */
async function startBehindProxy(name: string, poolMax: number) {
  const url = new URL(await postgres.createDatabase(name));
  const direct = new pg.Pool({ connectionString: url.href, max: 2 });
  direct.on('error', () => {}); // The server may go first at the end.
  closing.push(() => direct.end());
  const proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const service = await startProcess({
    DATABASE_URL: url.href,
    DATABASE_POOL_MAX: String(poolMax),
    RECONCILE_INTERVAL_MS: '500',
    CALLS_CONCURRENT: '1000',
    CALLS_PER_SECOND: '1000',
    CALLS_BURST: '1000',
  });
  closing.push(async () => void (await service.end('SIGKILL')));
  return { service, proxy, direct, poolMax };
}

/** Sends every request, with small pauses, so that the fault occurs in the middle of each, and again while it lasts. */
async function askThroughout(target: Target, proxy: TcpProxy, fault: Fault): Promise<Answered[]> {
  const answers: Promise<Answered>[] = [];
  // Slowed down, so that some transactions are always open.
  await proxy.set({ kind: 'latency', ms: 15 });
  for (const name of [...NAMES, ...NAMES, ...NAMES]) {
    answers.push(ask(target, name));
    await systemClock.sleep(10);
  }
  await proxy.set(fault);
  for (const name of [...NAMES, ...NAMES]) answers.push(ask(target, name));
  await systemClock.sleep(3000);
  for (const name of NAMES) answers.push(ask(target, name));
  return Promise.all(answers);
}

/** Seconds until every request succeeds, on every connection of the pool. */
async function recovery(target: Target): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const answers = await Promise.all([...NAMES, ...NAMES].map((name) => ask(target, name)));
    const seconds = (performance.now() - begun) / 1000;
    if (answers.every(({ ok }) => ok)) return seconds;
    assert.ok(seconds < 4 * SETTLED_S, `never recovered: ${JSON.stringify(answers.filter(({ ok }) => !ok))}`);
    await systemClock.sleep(50);
  }
}

function assertAnswered(fault: string, { name, ok, status, code, retryAfter, seconds }: Answered, isFaulty: boolean) {
  const what = `${fault}: ${name} answered ${status} ${code} after ${seconds.toFixed(1)} s`;
  // A number's claim that cannot be confirmed is undone, which needs another query.
  assert.ok(seconds < (name === 'number assign' ? 2 * DEADLINE_S : DEADLINE_S), what);
  if (name === 'healthz') return assert.ok(ok && seconds < 2, what);
  if (ok) return;
  assert.ok(status === 503 && Number(retryAfter) > 0, what);
  // It has its own format, and two seconds.
  if (name === 'readyz') return;
  assert.ok(isFaulty, what);
  assert.equal(code, 'database_unavailable', what);
}

/** Repeats requests that have a key, and counts the rows: one each, and identical to those answered with 201. */
async function assertOnce(target: Target, answers: Answered[], direct: pg.Pool): Promise<void> {
  for (const { name, key, ok, id } of answers.filter(({ key }) => key !== undefined)) {
    const again = await eventually(
      () => ask(target, name, key),
      ({ status }) => status !== 503,
    );
    assert.equal(again.status, 201, `${name} sent again: ${again.status} ${again.code}`);
    if (ok) assert.equal(again.id, id, `${name} sent again is another one`);
  }
  const { rows: found } = await direct.query(`
    select session_id as key from usage_events where event_type not in ('telephony_minutes', 'media_minutes') union all
    select content from transcripts union all
    select outbound_phone_number from sessions where outbound_phone_number is not null`);
  const keys = found.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'something was done twice');
  for (const { key } of answers) if (key !== undefined) assert.ok(keys.includes(key), `${key} is not there`);
}

/**
 * Every call was answered or has ended, and its timeline agrees; a number is assigned to its agent completely or not at
 * all.
 */
async function assertNothingHalfDone(direct: pg.Pool): Promise<void> {
  // A claim is repaired once it is a minute old.
  await direct.query(
    `update number_assignments set updated_at = updated_at - interval '61 s' where state <> 'assigned'`,
  );
  const halfDone = () =>
    direct.query(`
      select s.id::text, s.call_status from sessions s where call_direction = 'OUTBOUND' and (call_status = 'RINGING' or call_status <>
        (select e.call_status from session_events e where e.session_id = s.id order by e.created_at desc, e.id desc limit 1))
      union all select phone_number, state from number_assignments where state <> 'assigned'
      union all select a.id::text, 'number' from agents a full join number_assignments n on n.agent_id = a.id
        where a.phone_number is distinct from n.phone_number`);
  const isDone = ({ rowCount }: { rowCount: number | null }) => rowCount === 0;
  // The reconciler may wait 10 s for its own query that the fault has swallowed, and a call without a room
  // has 5 s.
  await eventually(halfDone, isDone).catch(() => eventually(halfDone, isDone));
}

async function assertPoolWhole(url: string, direct: pg.Pool, poolMax: number): Promise<void> {
  const connections = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const of = (state: string) => Number(new RegExp(`db_pool_connections{state="${state}"} (\\d+)`).exec(text)?.[1]);
    return { total: of('total'), idle: of('idle'), waiting: of('waiting') };
  };
  const { total } = await eventually(connections, ({ total, idle, waiting }) => total === idle && waiting === 0);
  assert.ok(total <= poolMax);
  const open = await direct.query(`select 1 from pg_stat_activity where datname = current_database()
    and state like 'idle in transaction%' and state_change < now() - interval '5 s'`);
  assert.equal(open.rowCount, 0, 'transactions were left open');
}

const GROUPS: Record<string, Name[]> = {
  'usage events, transcripts, calls': ['usage event', 'transcript', 'outbound call'],
  'numbers assigned': ['number assign'],
  'sessions updated': ['session update'],
  'sessions, agents, costs read': ['session read', 'agents', 'costs report'],
  '`/readyz`': ['readyz'],
  '`/healthz`': ['healthz'],
};

function report(fault: string, answers: Answered[], settled: number): void {
  for (const [group, names] of Object.entries(GROUPS)) {
    const of = answers.filter(({ name }) => names.includes(name));
    const byStatus = Object.entries(Object.groupBy(of, ({ status }) => status));
    const counts = byStatus.map(([status, all]) => `${all?.length} × ${status}`).join(', ');
    const slowest = Math.max(...of.map(({ seconds }) => seconds));
    rows.push(`| ${fault} | ${group} | ${counts} | ${slowest.toFixed(1)} s | ${settled.toFixed(1)} s |`);
  }
}

const targets = new Map<string, Awaited<ReturnType<typeof startBehindProxy>>>();
for (const [name, { kind }] of Object.entries(FAULTS))
  targets.set(name, await startBehindProxy(`wire_${targets.size}`, kind === 'latency' ? POOL_FOR_ALL : POOL_MAX));

test('with any fault on the database connection, requests end in time with 503, and nothing is lost, duplicated or left incomplete', {
  concurrency: true,
}, async (t) => {
  const tests = Object.entries(FAULTS).map(([name, fault]) =>
    t.test(name, async () => {
      const { service, proxy, direct, poolMax } = targets.get(name) ?? assert.fail();
      const target = await prepare(service.url);
      await recovery(target);
      const answers = await askThroughout(target, proxy, fault);
      await proxy.set(PASS);
      const settled = await recovery(target);
      for (const answer of answers) assertAnswered(name, answer, fault.kind !== 'latency');
      assert.ok(settled < SETTLED_S, `${name}: it took ${settled.toFixed(1)} s until everything worked again`);
      await assertOnce(target, answers, direct);
      await assertNothingHalfDone(direct);
      await assertPoolWhole(service.url, direct, poolMax);
      assert.equal(service.child.exitCode, null, service.output());
      report(name, answers, settled);
    }),
  );
  await Promise.all(tests);
});

after(() => {
  const text = `## Faults on the connection to the database

A proxy between the service and PostgreSQL; requests are repeated before, during and after the fault. A request
waits up to 5 s for one of ${POOL_MAX} connections (with latency alone, each gets its own) and up to 10 s for a query. 503 is \`database_unavailable\` with \`Retry-After\`. Afterwards each
usage event, transcript and call was sent again under its \`Idempotency-Key\`, and was stored exactly once.

| Fault | Request | Responses | Slowest | Everything works again after |
| --- | --- | --- | --- | --- |
${rows.sort().join('\n')}`;
  writeSection(3, 'wire-database', text);
});
