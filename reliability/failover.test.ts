// Two processes of the service behind HAProxy, on a PostgreSQL whose standby takes over under load, behind HAProxy too.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, type TestContext, test } from 'node:test';
import { type Reply, send } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePorts } from '@switchboard/testkit/ports.ts';
import { query, startPostgres } from '@switchboard/testkit/postgres.ts';
import { verifyRollups } from '@switchboard/testkit/rollups.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { startHaproxy, startRoleCheck } from './support/replication.ts';

const CLIENTS = 8;
/** While the standby is cut off, and until it is promoted. */
const [BEHIND_MS, UNTIL_PROMOTED_MS] = [700, 2_000];
/** Acknowledged writes to wait for: before the standby is cut off, and from the new primary. */
const SOME = 50;
/** The machine may be busy. */
const PATIENCE_MS = 60_000;

interface Figures {
  acknowledged: number;
  lost: number;
  doubled: number;
  refusedMs: number;
}
const figures = new Map<string, Figures>();
after(() => writeSection(13, 'failover', report(), {}));

suite('a standby takes over under load, and the service goes on without a restart', { concurrency: 2 }, () => {
  for (const mode of ['asynchronous', 'synchronous'] as const)
    test(`with ${mode} replication`, (t) => failOver(mode, t));
});

async function failOver(mode: Mode, t: TestContext): Promise<void> {
  const cluster = await startCluster(mode, t);
  const load = startLoad(cluster.url);
  t.after(load.stop);
  await load.acknowledges(SOME);
  await cluster.cutStandbyOff();
  await systemClock.sleep(BEHIND_MS);
  // Those that a promotion will lose. With synchronous replication nothing is acknowledged now.
  if (mode === 'asynchronous') await load.acknowledges(SOME);
  const failedAt = performance.now();
  await cluster.primary.kill();
  await systemClock.sleep(UNTIL_PROMOTED_MS);
  await query(cluster.standby.url, 'select pg_promote()');
  await load.acknowledges(SOME);
  const { acknowledged, unexpected } = await load.stop();
  const counted = await cluster.count(acknowledged);
  t.diagnostic(
    JSON.stringify({ ...counted, acknowledged: acknowledged.length, refusedMs: load.longestGapAfter(failedAt) }),
  );
  figures.set(mode, { acknowledged: acknowledged.length, ...counted, refusedMs: load.longestGapAfter(failedAt) });
  assert.deepEqual(unexpected, []);
  assert.equal(counted.doubled, 0);
  if (mode === 'synchronous') assert.equal(counted.lost, 0);
  // The standby had not received all: the test would show nothing otherwise.
  else assert.ok(counted.lost > 0);
  for (const { child } of cluster.services) assert.equal(child.exitCode, null, 'the process lives');
  verifyRollups({ DATABASE_URL: cluster.newPrimary });
}

type Mode = 'asynchronous' | 'synchronous';

async function startCluster(mode: Mode, t: TestContext) {
  const cleanUp: (() => unknown)[] = [];
  t.after(async () => {
    for (const step of cleanUp.reverse()) await step();
  });
  const [one = 0, two = 0, database = 0, web = 0] = await freePorts(4);
  const settings = mode === 'synchronous' ? ['synchronous_standby_names=*'] : [];
  const primary = await startPostgres(one, { settings });
  cleanUp.push(primary.remove);
  const standby = await startPostgres(two, { standbyOf: one });
  cleanUp.push(standby.remove);
  await primary.createDatabase('failover');
  const roles = [await startRoleCheck(primary.url), await startRoleCheck(standby.url)];
  cleanUp.push(...roles.map(({ close }) => close));
  const ports = [one, two];
  const proxy = await startHaproxy(
    databaseProxy(
      database,
      roles.map(({ port }, index) => ({ port: ports[index] ?? 0, check: port })),
    ),
    database,
  );
  cleanUp.push(proxy.end);
  const databaseUrl = `postgres://postgres@127.0.0.1:${database}/failover`;
  await eventually(
    () => query(databaseUrl, 'select 1').catch(() => []),
    (rows) => rows.length > 0,
  );
  const services = [
    await startProcess({ DATABASE_URL: databaseUrl }),
    await startProcess({ DATABASE_URL: databaseUrl }),
  ];
  cleanUp.push(...services.map((service) => () => service.end('SIGKILL')));
  const front = await startHaproxy(
    webProxy(
      web,
      services.map(({ url }) => new URL(url).host),
    ),
    web,
  );
  cleanUp.push(front.end);
  const url = `http://127.0.0.1:${web}`;
  await eventually(
    () => send(url, { path: '/readyz' }),
    ({ status }) => status === 200,
  );

  // Not through the proxy, whose role checks this process answers: it ends connections while this process is busy.
  const newPrimary = standby.url.replace(/postgres$/, 'failover');
  return {
    url,
    newPrimary,
    services,
    primary,
    standby,
    /** Pauses the process that sends the log to the standby, like a network that is cut. */
    cutStandbyOff: async () => {
      const senders = await query<{ pid: number }>(primary.url, 'select pid from pg_stat_replication');
      assert.equal(senders.length, 1);
      for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
    },
    /** How many of these events the new primary does not have, and how many it has twice. */
    count: async (acknowledged: string[]) => {
      const rows = await query<{ session_id: string; count: string }>(
        newPrimary,
        'select session_id, count(*) from usage_events group by 1',
      );
      const stored = new Map(rows.map(({ session_id, count }) => [session_id, Number(count)]));
      return {
        lost: acknowledged.filter((id) => !stored.has(id)).length,
        doubled: [...stored.values()].filter((count) => count > 1).length,
      };
    },
  };
}

/** Clients that each log one usage event after the other, and repeat a refused one with its key. */
function startLoad(url: string) {
  const acknowledged: { id: string; at: number }[] = [];
  const unexpected: Reply[] = [];
  let isOver = false;
  async function client(): Promise<void> {
    while (!isOver) {
      const id = randomUUID();
      const body = {
        session_id: id,
        user_id: 'user-1',
        provider: 'p',
        event_type: 'llm_tokens',
        quantity: 1,
        unit_cost: 1,
        total_cost: 1,
      };
      for (;;) {
        const reply = await send(url, { method: 'POST', path: '/api/usage/events', key: id, body });
        if (reply.status === 201) acknowledged.push({ id, at: performance.now() });
        // 409: the first attempt is still in progress. 0: HAProxy or the service broke the connection.
        else if (![0, 409, 502, 503, 504].includes(reply.status)) unexpected.push(reply);
        if (reply.status === 201 || isOver) break;
        await systemClock.sleep(100);
      }
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  clients.catch(() => {}); // Reported by `stop`.
  return {
    /** Waits until so many more writes are acknowledged. */
    acknowledges: async (count: number) => {
      const enough = acknowledged.length + count;
      await eventually(
        async () => acknowledged.length,
        (length) => length >= enough,
        PATIENCE_MS,
      );
    },
    /** The longest time between two acknowledgements, in milliseconds. */
    longestGapAfter: (time: number) => {
      const times = [time, ...acknowledged.map(({ at }) => at).filter((at) => at > time)];
      return Math.round(Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at))));
    },
    stop: async () => {
      isOver = true;
      await clients;
      return { acknowledged: acknowledged.map(({ id }) => id), unexpected };
    },
  };
}

const DEFAULTS = `defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
`;

/** A check that is answered late, as this process is busy, ends no connections: a dead server refuses it at once. */
function databaseProxy(port: number, servers: { port: number; check: number }[]): string {
  return `${DEFAULTS}
listen database
  bind 127.0.0.1:${port}
  mode tcp
  option httpchk GET /primary
  timeout check 10s
  default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${servers.map((one, index) => `  server pg${index} 127.0.0.1:${one.port} check port ${one.check}`).join('\n')}
`;
}

function webProxy(port: number, hosts: string[]): string {
  return `${DEFAULTS}
listen web
  bind 127.0.0.1:${port}
  mode http
  option httpchk GET /readyz
  default-server inter 500ms fall 2 rise 1
${hosts.map((host, index) => `  server replica${index} ${host} check`).join('\n')}
`;
}

function report(): string {
  const all = [...figures.values()];
  const row = (what: string, of: (one: Figures) => string | number) => [what, ...all.map((one) => String(of(one)))];
  return `## A standby takes over

Two processes of the service behind HAProxy log usage events on a PostgreSQL with a standby, both behind HAProxy, which asks each whether it is the primary. The
standby is cut off for ${BEHIND_MS / 1000} s, then the primary is killed, and ${UNTIL_PROMOTED_MS / 1000} s later the standby is promoted.

${table(
  ['', ...figures.keys()],
  [
    row('events acknowledged', (one) => one.acknowledged),
    row('acknowledged and lost', (one) => one.lost),
    row('stored twice', (one) => one.doubled),
    row(`writes refused for, s (${UNTIL_PROMOTED_MS / 1000} of them until the promotion)`, (one) =>
      (one.refusedMs / 1000).toFixed(1),
    ),
  ],
)}`;
}
