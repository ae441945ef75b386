// Thousands of hostile connections: the process stays small, its health checks succeed, and other clients are served.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { query, startPostgres } from '@switchboard/testkit/postgres.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { startProcess } from '@switchboard/testkit/service-process.ts';
import { table } from '@switchboard/testkit/table.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import type { Watched } from './support/health-watch.ts';
import { MALLOC_SETTINGS } from './support/memory.ts';
import { PROBED, readProbe, readSlowness } from './support/probe.ts';

const CONNECTIONS = 6000;
const MAX_MEMORY = 1e9;
const MAX_HEALTH_MS = 250;
const IS_WHOLE_MINUTE = Boolean(process.env.RELIABILITY_SECTIONS);
/** Duration of all attacks together; `npm run reliability` uses the whole minute. */
const SECONDS = IS_WHOLE_MINUTE ? 60 : 24;
/**
 * For one check in a hundred of a shorter run, which any machine must pass: the default timeout of Kubernetes' probes.
 * The first use of a new virtual machine's memory has taken 300 ms.
 */
const MAX_SLOWEST_MS = IS_WHOLE_MINUTE ? MAX_HEALTH_MS : 1000;
const ATTACKS = [
  'pipelining',
  'not reading',
  'long lists',
  'long lists, not read',
  'maximum bodies',
  'maximum depth',
  'half a body',
  'half a head',
];
/** Users whose lists of agents have the maximum size, 8 MiB, with the fields that take longest. */
const LONG_LISTS = Array.from({ length: 10 }, (_, index) => `long-${index}`);
const OTHERS_EVERY_MS = 50;
/** Most open files of a service whose attackers are gone. */
const FILES_AT_REST = 200;
/** Lower priority: real attackers have their own CPUs, but here they share the service's. */
const NICE = ['-n', '10'];

const rows: (string | number)[][] = [];
// The embedded database alone uses half a gigabyte.
const postgres = await startPostgres(await freePort());
const BOOTSTRAP_KEY = `sb_${'hostile'.repeat(7).slice(0, 43)}`;
const env = { DATABASE_URL: postgres.url, AUTH_MODE: 'required', BOOTSTRAP_KEY };
const service = await startProcess({ ...MALLOC_SETTINGS, ...env, ...PROBED });
after(async () => {
  await service.end('SIGKILL');
  await postgres.remove();
});
after(() => writeSection(12, 'hostile', report()));

const { body: made } = await request(BOOTSTRAP_KEY, '/api/keys', { name: 'hostile', role: 'user', user_id: 'hostile' });
await query(
  postgres.url,
  `insert into agents (id, user_id, name, type, config, is_active, created_at, updated_at)
  select gen_random_uuid(), 'long-' || which, 'A', 'PIPELINE', config, true, now(), now()
  from generate_series(0, ${LONG_LISTS.length - 1}) as which, generate_series(1, 36),
    (select jsonb_object_agg('key-' || n, n) as config from generate_series(1, 12000) as n) as configs`,
);

for (const attack of ATTACKS) {
  test(`${CONNECTIONS} connections, ${attack}: the process stays below 1 GB and answers health checks within 250 ms of its own time`, async (t) => {
    const watch = start([], 'health-watch.ts', service.url, String(service.child.pid));
    const lists = [LONG_LISTS.join(), BOOTSTRAP_KEY];
    const attackers = start(NICE, 'attackers.ts', service.url, attack, String(CONNECTIONS), made.key, ...lists);
    const handled = await handledRequests();
    await readProbe(service);
    let opened = 0;
    attackers.stdout?.on('data', (lines) => (opened = Number(String(lines).trim().split('\n').at(-1))));
    const [served] = await Promise.allSettled([serveOthers(() => opened)]);
    const { stall } = await readProbe(service);
    const slowness = await readSlowness(service);
    await end(attackers);
    const seen = await end(watch);
    // Connections that are still being closed count towards the service's limit on them.
    await eventually(openFiles, (count) => count < FILES_AT_REST);
    if (served.status === 'rejected') throw served.reason;
    const watched: Watched = JSON.parse(seen);
    const { asked, failed, late, slowestMs, p99OwnMs, slowestOwnMs, p50Ms, p99Ms, peakMemory } = watched;
    const milliseconds = [p50Ms, p99Ms, slowestMs, slowestOwnMs, stall].map(Math.round);
    const requests = (await handledRequests()) - handled;
    const megabytes = Math.round(peakMemory / 1e6);
    rows.push([attack, opened, requests, asked, late, ...milliseconds, megabytes, served.value]);
    t.diagnostic(JSON.stringify(rows.at(-1)));
    assert.deepEqual(failed, []);
    assert.ok(opened >= CONNECTIONS && asked > 0 && served.value > 0, seen);
    assert.ok(peakMemory < MAX_MEMORY, seen);
    const figures = `${seen} on a machine ${slowness} times as slow as usual`;
    assert.ok(p99OwnMs < MAX_HEALTH_MS * slowness && slowestOwnMs < MAX_SLOWEST_MS * slowness, figures);
    assert.ok(
      stall < MAX_HEALTH_MS * slowness,
      `a turn of the event loop took ${stall} ms of processor time: ${figures}`,
    );
  });
}

/** Number of files, connections among them, that the service has open. */
async function openFiles(): Promise<number> {
  return readdirSync(`/proc/${service.child.pid}/fd`).length;
}

/** Number of requests that the service has answered so far. */
async function handledRequests(): Promise<number> {
  const response = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
  const counts = (await response.text()).matchAll(/^http_request_duration_seconds_count\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * Creates, reads and lists agents, one request after the other, each of which must succeed, for its share of the time
 * after all connections have been opened. Returns the number of requests.
 */
async function serveOthers(opened: () => number): Promise<number> {
  let until = Number.POSITIVE_INFINITY;
  let served = 0;
  while (performance.now() < until) {
    if (until === Number.POSITIVE_INFINITY && opened() >= CONNECTIONS)
      until = performance.now() + (SECONDS / ATTACKS.length) * 1000;
    const { status, body } = await request(BOOTSTRAP_KEY, '/api/agents/', { name: 'a', user_id: `user-${served}` });
    assert.equal(status, 201, JSON.stringify(body));
    for (const target of [`/api/agents/${body.id}`, '/api/agents/']) {
      const answer = await request(BOOTSTRAP_KEY, target, undefined, `user-${served}`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    }
    served += 3;
    await systemClock.sleep(OTHERS_EVERY_MS);
  }
  return served;
}

async function request(key: string, target: string, body?: object, user?: string) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(user !== undefined && { 'x-user-id': user }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
  const response = await fetch(`${service.url}${target}`, init);
  return { status: response.status, body: (await response.json()) as Json };
}

function start(niceness: string[], file: string, ...args: string[]): ChildProcess {
  const script = path.join(import.meta.dirname, 'support', file);
  const command = niceness.length > 0 ? ['nice', ...niceness, process.execPath] : [process.execPath];
  const [first = '', ...rest] = [...command, script, ...args];
  return spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Ends a process and returns its output. */
async function end(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  child.kill('SIGTERM');
  await once(child, 'close');
  return text;
}

function report(): string {
  return `## One hostile minute

${CONNECTIONS} connections from 60 addresses, half of them with a valid key, against every operation and page of a service on PostgreSQL, for ${SECONDS} s in all. They
send as fast as they can, at a lower priority than the service, and reconnect when closed; with long lists 60 of them ask without
end for lists of agents of 8 MiB, five times a second each. Meanwhile another address
creates, reads and lists agents: each of its requests succeeded. \`/healthz\` was asked over a kept connection and over new
ones. "Own" leaves out the time in which the service, or whoever asked, could have run but waited for a processor, because the attackers
share both of them. A turn is processor time in one turn of the service's event loop.

${table(
  [
    'Attack',
    'Connections opened',
    'Requests answered',
    'Health checks',
    'Of those, above 250 ms',
    'p50, ms',
    'p99, ms',
    'Slowest, ms',
    'Slowest own, ms',
    'Longest turn, ms',
    'Peak RSS, MB',
    'Requests of others, all served',
  ],
  rows,
)}`;
}
